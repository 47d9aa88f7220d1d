import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../platform/config/config';
import { loadConfigWith } from '../platform/config/load-config';
import { RunningServer } from '../platform/operator/operator-client';
import { CommandRefused, type OperatorContext, type Progress } from '../platform/operator/operator-commands';

/** Options common to all commands. */
export interface CommonOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
  /** Only for `init`. */
  readonly keepSecret?: boolean;
}

/** Creates a command with the common options. */
export function commandOf(parent: Command, usage: string, about: string): Command {
  return parent
    .command(usage)
    .description(about)
    .option('--data-dir <folder>', 'data folder of the server (default: DATA_DIR, or else "data")')
    .option('--json', 'print the result as JSON');
}

/** How long to wait while another command, or a server that is starting, uses the database. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 200;

/** The configuration from the environment, overridden by the command line. */
export function configOf({ dataDir, keepSecret }: CommonOptions): Config {
  return loadConfigWith({
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
    ...(keepSecret && { KEEP_SECRET: 'true' }),
  });
}

/**
 * Runs a command on the server that uses the data folder; without a server, in this process.
 * @throws CommandRefused, StartRefused, ApiError
 */
export async function runCommand<Result extends object>(
  name: string,
  input: object,
  options: CommonOptions,
): Promise<Result> {
  const config = configOf(options);
  return (await withContext(config, (context) => run(config, name, input, context))) as Result;
}

/** Provides the context of a command: Ctrl-C stops the work cleanly, and its progress is shown. */
export async function withContext<Result>(
  config: Config,
  work: (context: OperatorContext) => Promise<Result>,
): Promise<Result> {
  const interruption = new AbortController();
  const stop = () => {
    if (interruption.signal.aborted) process.exit(INTERRUPTED);
    interruption.abort();
  };
  const progress = new ProgressLine();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  try {
    return await work({
      site: config.siteAt(config.externalUrl),
      signal: interruption.signal,
      report: (now) => progress.show(now),
    });
  } catch (error) {
    throw interruption.signal.aborted ? new Interrupted() : error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    progress.end();
  }
}

/** Exit code of an interrupted command. */
export const INTERRUPTED = 130;

/** The command was interrupted before it finished. */
export class Interrupted extends CommandRefused {
  constructor() {
    super('Stopped before completion.');
  }
}

async function run(config: Config, name: string, input: object, context: OperatorContext): Promise<object> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const server = await RunningServer.find(config);
    if (server) return server.run(name, input, context);
    // Loaded only when needed: most commands find a running server.
    const { runAlone } = await import('./run-alone.js');
    const { DatabaseInUse } = await import('../platform/database/database.errors.js');
    try {
      return await runAlone(config, name, input, context);
    } catch (error) {
      if (!(error instanceof DatabaseInUse) || Date.now() > until || context.signal.aborted) throw error;
      await pause(PAUSE_MS);
    }
  }
}

const WIDTH = 30;

/** Returns to the start of the line and clears it. */
const CLEARED = '\r\x1b[2K';

/** Shows the progress of a command on a terminal; prints nothing when standard error is not a terminal. */
class ProgressLine {
  private shown = '';

  show({ done, total, what }: Progress): void {
    if (!process.stderr.isTTY) return;
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
    const line = `${bar} ${Math.floor(part * 100)} % ${what}`.slice(0, process.stderr.columns - 1);
    if (line !== this.shown) process.stderr.write(CLEARED + line);
    this.shown = line;
  }

  end(): void {
    if (this.shown !== '') process.stderr.write(CLEARED);
    this.shown = '';
  }
}
