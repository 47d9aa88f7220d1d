import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port';

/** A Redis of its own, which faults may befall. It keeps nothing: each start finds it empty. */
export class RedisServer {
  private process: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly port: string,
  ) {}

  /** @param folder an existing one, to run in */
  static async start(folder: string): Promise<RedisServer> {
    const redis = new RedisServer(folder, await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Returns once it takes connections. */
  async start(): Promise<void> {
    const settings = ['--port', this.port, '--bind', '127.0.0.1', '--dir', this.folder, '--save', ''];
    const started = spawn('redis-server', settings, { stdio: 'ignore' });
    this.process = started;
    while (!(await this.answers())) {
      if (started.exitCode !== null) throw new Error(`Redis ended with ${started.exitCode}.`);
      await pause(20);
    }
  }

  /** As a crash ends it. */
  async crash(): Promise<void> {
    const { process } = this;
    if (process?.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, 'exit');
    process.kill('SIGKILL');
    await ended;
  }

  private async answers(): Promise<boolean> {
    const socket = connect(Number(this.port), '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
