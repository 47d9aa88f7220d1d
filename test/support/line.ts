import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxied connection to another server that can be cut and restored. */
export class Line {
  private readonly sockets = new Set<Socket>();
  private readonly forgotten = new WeakSet<Socket>();
  private isCut = false;
  private isStalled = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly defaultPort: number,
  ) {}

  /** @param target URL of the other server */
  static async open(target: string, defaultPort: number): Promise<Line> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new Line(server, new URL(target), defaultPort);
    server.on('connection', (socket) => line.pass(socket));
    return line;
  }

  /** The other server's URL through this proxy. */
  get url(): string {
    return this.through(this.target.href);
  }

  /** A URL on the other server, through this proxy. */
  through(address: string): string {
    const own = new URL(address);
    own.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return own.href;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
    this.isStalled = false;
    for (const socket of this.sockets) if (!this.forgotten.has(socket)) socket.resume();
  }

  /** Blocks all data silently. */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Permanently blocks data on existing connections; new ones work. */
  forget(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.pause();
      this.forgotten.add(socket);
    }
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const other = connect(Number(this.target.port || this.defaultPort), this.target.hostname);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      if (this.isStalled) from.pause();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
