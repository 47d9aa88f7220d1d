import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

const url = new URL(process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379');
const port = Number(url.port || 6379);

/** Whether the Redis answers that tests may use: what they store in it expires, under keys of each database. */
export async function hasRedis(): Promise<boolean> {
  const socket = connect(port, url.hostname);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A line to the Redis of the tests that can be cut and mended. */
export class RedisLine {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<RedisLine> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = new URL(url);
    own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = new RedisLine(server, own.href);
    server.on('connection', (socket) => line.pass(socket));
    return line;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Nothing gets through any more, and nobody is told. */
  stall(): void {
    for (const socket of this.sockets) socket.pause();
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
    const redis = connect(port, url.hostname);
    for (const [from, to] of [
      [socket, redis],
      [redis, socket],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
