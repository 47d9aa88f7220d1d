import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Handles data that a client sends on a connection, with the number of the connection. */
export type Behaviour = (socket: Socket, chunk: Buffer, connection: number) => void;

/** Listens in place of a directory, with scripted behavior. */
export class FalseDirectory {
  /** All received data, in order. */
  readonly received: Buffer[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(behave: Behaviour): Promise<FalseDirectory> {
    let connections = 0;
    const server = createServer((socket) => {
      const connection = ++connections;
      self.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        self.received.push(chunk);
        behave(socket, chunk, connection);
      });
    });
    const self = new FalseDirectory(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return self;
  }

  get url(): string {
    return `ldap://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Whether a text was received in plain text. */
  has(text: string): boolean {
    return Buffer.concat(this.received).includes(text);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}

/** The response to a request: the same message ID, and a result of this kind. */
export function result(request: Buffer, tag: number, code: number): Buffer {
  const number = numberOf(request);
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, number, tag, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00]);
}

/** The response to a search with a referral. */
export function referral(request: Buffer, url: string): Buffer {
  const name = Buffer.from(url);
  const part = Buffer.concat([Buffer.from([0x73, name.length + 2, 0x04, name.length]), name]);
  return Buffer.concat([Buffer.from([0x30, part.length + 3, 0x02, 0x01, numberOf(request)]), part]);
}

/** The message ID of a request, after its length of one or more bytes. */
function numberOf(request: Buffer): number {
  const size = request[1]!;
  return request[4 + (size < 0x80 ? 0 : size - 0x80)]!;
}

/** Tags of responses. */
export const ANSWER = { bind: 0x61, search: 0x65, extended: 0x78 } as const;
