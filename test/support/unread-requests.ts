import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Clients that send requests to a server of this process without reading, and the state of the server. */
export class UnreadRequests {
  /** Server-side connections, in the order in which clients connected. */
  readonly connections: Socket[] = [];
  /** One for each request that reached a handler, answered or not. */
  readonly responses: ServerResponse[] = [];
  private readonly clients: Socket[] = [];

  /** @param server already listening */
  constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.connections.push(socket));
    server.on('request', (_request, response) => this.responses.push(response));
  }

  /**
   * Sends these requests at once, on a separate connection.
   * @param from an address of this machine
   */
  async ask(paths: readonly string[], from = '127.0.0.1'): Promise<Socket> {
    const { port } = this.server.address() as AddressInfo;
    const client = connect({ host: '127.0.0.1', port, localAddress: from });
    this.clients.push(client.on('error', () => undefined));
    await once(client, 'connect');
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    return client;
  }

  /**
   * Waits until this many requests have arrived, and each answer has progressed as far as possible without a reader.
   */
  async settled(count: number): Promise<void> {
    await until(
      () => this.responses.length === count && this.responses.every(({ headersSent }) => headersSent),
    );
    for (let before = -1; before !== this.bytes; await pause(100)) before = this.bytes;
  }

  /** Bytes of all answers that the server keeps. */
  get bytes(): number {
    return this.responses.reduce((sum, response) => sum + (response.closed ? 0 : response.writableLength), 0);
  }

  /** Disconnects all clients, and waits until the server notices. */
  async leave(): Promise<void> {
    for (const client of this.clients.splice(0)) client.destroy();
    await until(() => this.connections.every(({ closed }) => closed));
    this.connections.length = 0;
    this.responses.length = 0;
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}
