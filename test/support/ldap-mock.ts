import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** What a client sent first on a connection: everything until the server did something else. */
export type Behaviour = (socket: Socket, chunk: Buffer, connection: number) => void;

/** Not a directory, but something that listens in its place. */
export class FalseDirectory {
  /** All that came, in order. */
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

  /** Whether a text came in the clear. */
  has(text: string): boolean {
    return Buffer.concat(this.received).includes(text);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}

/** The answer to a request: the same number, and a result of this kind. */
export function result(request: Buffer, tag: number, code: number): Buffer {
  const number = numberOf(request);
  return Buffer.from([0x30, 0x0c, 0x02, 0x01, number, tag, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00]);
}

/** The answer to a search that continues elsewhere. */
export function referral(request: Buffer, url: string): Buffer {
  const name = Buffer.from(url);
  const part = Buffer.concat([Buffer.from([0x73, name.length + 2, 0x04, name.length]), name]);
  return Buffer.concat([Buffer.from([0x30, part.length + 3, 0x02, 0x01, numberOf(request)]), part]);
}

/** The number of a request, behind its length of one byte or several. */
function numberOf(request: Buffer): number {
  const size = request[1]!;
  return request[4 + (size < 0x80 ? 0 : size - 0x80)]!;
}

/** Tags of answers. */
export const ANSWER = { bind: 0x61, search: 0x65, extended: 0x78 } as const;
