import * as fs from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import {
  databaseMark,
  explainCommandFailure,
  firstLine,
  type OperatorRequest,
  sendLine,
  socketAddress,
  type SocketAddress,
  socketFolder,
} from './operator-protocol';
import { RunningServer } from './operator-client';
import { OperatorCommands } from './operator-commands';

/**
 * Accepts commands from the command line on a socket that only the user of the server can reach: its folder is closed
 * to everyone else. Anyone able to open it has access to the data anyway.
 */
@Injectable()
export class OperatorSocket implements OnModuleDestroy {
  private readonly logger = new Logger('Operator');
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly connections = new Set<Socket>();
  private server: Server | undefined;
  private address: SocketAddress | null = null;

  constructor(
    private readonly config: Config,
    private readonly commands: OperatorCommands,
  ) {}

  /**
   * Starts listening. If that fails, the server runs without the socket.
   * @param site where clients reach the server
   */
  async open(site: string): Promise<void> {
    try {
      await this.listen(site);
    } catch (error) {
      this.logger.warn({ err: error }, 'This server cannot accept operator commands.');
    }
  }

  /** Gives running commands a moment to finish before the database closes. */
  async onModuleDestroy(): Promise<void> {
    this.server?.close();
    this.stopping.abort();
    const done = Promise.allSettled(this.running);
    await Promise.race([done, pause(this.config.shutdownTimeoutSeconds * 1000, undefined, { ref: false })]);
    for (const connection of this.connections) connection.destroy();
    this.address?.release();
  }

  private async listen(site: string): Promise<void> {
    const { dataDir } = this.config;
    if (process.platform === 'win32') return; // no such sockets or permissions there
    fs.mkdirSync(socketFolder(dataDir), { recursive: true, mode: 0o700 });
    fs.chmodSync(socketFolder(dataDir), 0o700);
    this.address = socketAddress(dataDir);
    if (!this.address) {
      this.logger.warn(
        'The path of DATA_DIR is too long for a socket. This server cannot accept operator commands.',
      );
      return;
    }
    const { path } = this.address;
    const other = await RunningServer.find(this.config);
    if (other) {
      other.close();
      this.logger.log('Another node on this data folder accepts operator commands.');
      return;
    }
    fs.rmSync(path, { force: true });
    const server = createServer((socket) => this.take(socket, site));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    fs.chmodSync(path, 0o600);
    // The socket does not keep the process alive.
    this.server = server.unref();
  }

  private take(socket: Socket, site: string): void {
    this.connections.add(socket);
    const gone = new AbortController();
    socket.on('error', () => undefined); // it closes then
    socket.on('close', () => {
      this.connections.delete(socket);
      gone.abort();
    });
    const work = this.answer(socket, site, AbortSignal.any([gone.signal, this.stopping.signal]));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async answer(socket: Socket, site: string, signal: AbortSignal): Promise<void> {
    const request = parsed(await firstLine(socket));
    if (!request) {
      socket.end();
      return;
    }
    const { command, input, database } = request;
    if (database && database !== databaseMark(this.config.databaseUrl)) {
      sendLine(socket, {
        error: 'The server that runs on this folder uses another database than DATABASE_URL says.',
      });
      socket.end();
      return;
    }
    try {
      const report = (progress: { done: number; total: number; what: string }) =>
        sendLine(socket, { progress });
      sendLine(socket, { result: await this.commands.run(command, input, { site, signal, report }) });
    } catch (error) {
      const { message, isSurprise } = explainCommandFailure(error);
      if (isSurprise) this.logger.error(error);
      sendLine(socket, { error: message });
    }
    socket.end();
  }
}

function parsed(line: string | null): OperatorRequest | null {
  try {
    const request: unknown = JSON.parse(line ?? '');
    const { command, input, database = null } = request as Partial<OperatorRequest>;
    return typeof command === 'string' && typeof input === 'object' && input !== null
      ? { command, input, database }
      : null;
  } catch {
    return null;
  }
}

/** Operator commands, and the socket that accepts them while the server runs. */
@Global()
@Module({
  providers: [OperatorCommands, OperatorSocket],
  exports: [OperatorCommands],
})
export class OperatorSocketModule {}
