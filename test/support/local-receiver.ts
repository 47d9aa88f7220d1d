import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request received by a {@link LocalReceiver}. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The raw body. */
  readonly bytes: Buffer;
}

/** Answers a request. */
export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

/** A local service that the server under test calls. */
export class LocalReceiver {
  readonly requests: ReceivedRequest[] = [];
  private respond: Responder = (_request, response) => response.end('{}');

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(address = '127.0.0.1'): Promise<LocalReceiver> {
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming;
        const bytes = Buffer.concat(chunks);
        const request = { method, path: url, headers, body: bytes.toString(), bytes };
        receiver.requests.push(request);
        receiver.respond(request, response);
      });
    });
    await new Promise<void>((listening) => server.listen(0, address, listening));
    const { port } = server.address() as AddressInfo;
    const receiver = new LocalReceiver(server, `http://${address}:${port}`);
    return receiver;
  }

  /** Answers like this from now on; discards requests received so far. */
  answer(answer: Responder | Readonly<Record<string, unknown>> | string, status = 200): void {
    this.requests.length = 0;
    if (typeof answer === 'function') {
      this.respond = answer;
      return;
    }
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    this.respond = (_request, response) => response.writeHead(status).end(body);
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }
}
