import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../platform/config/config';
import type { FileUser } from '../platform/database/moving/move-to-postgres';
import { RunningServer } from '../platform/operator/operator-client';
import { CommandRefused, type Progress } from '../platform/operator/operator-commands';

/** Maximum time for a server to stop, beyond the time for pending requests. */
const CLOSING_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** The running server while its database is moved: it pauses writes while this connection is open. */
export class ServerToStop implements FileUser {
  private readonly move = randomUUID();
  private readonly over = new AbortController();
  private loss: Error | undefined;
  private pausedSince: number | undefined;
  private pausedUntil: number | undefined;

  constructor(
    private readonly config: Config,
    private readonly file: string,
    private readonly signal: AbortSignal,
  ) {}

  /** How long it refused writes before it stopped. */
  get pausedSeconds(): number | null {
    const { pausedSince, pausedUntil } = this;
    return pausedSince === undefined || pausedUntil === undefined ? null : (pausedUntil - pausedSince) / 1000;
  }

  /** @throws the error with which the server ended the pause */
  throwIfGone(): void {
    if (this.loss) throw this.loss;
  }

  async pause(): Promise<void> {
    const server = await this.connect();
    await new Promise<void>((resolve, reject) => {
      const report = ({ what }: Progress) => {
        this.pausedSince ??= performance.now();
        if (what === 'paused') resolve();
      };
      const signal = AbortSignal.any([this.signal, this.over.signal]);
      server.run('move pause', { move: this.move }, { signal, report }).catch((error: Error) => {
        this.loss = error;
        reject(error);
      });
    });
  }

  /** From here on the server writes nothing more, even if the connection ends. */
  async leave(): Promise<void> {
    const server = await this.connect();
    await server.run('move finish', { move: this.move }, { signal: this.signal, report: () => undefined });
    this.over.abort();
    const { shutdownDelaySeconds, shutdownTimeoutSeconds } = this.config;
    const until = performance.now() + (shutdownDelaySeconds + shutdownTimeoutSeconds) * 1000 + CLOSING_MS;
    while (existsSync(this.file)) {
      if (performance.now() > until)
        throw new CommandRefused(
          'All data is in PostgreSQL, but the server is still running. Stop it and run this command again.',
        );
      await sleep(LOOK_EVERY_MS);
    }
    this.pausedUntil = performance.now();
  }

  private async connect(): Promise<RunningServer> {
    const server = await RunningServer.find(this.config);
    if (!server) throw new CommandRefused('The server stopped during the move. Run this command again.');
    return server;
  }
}
