import { existsSync } from 'node:fs';
import { tables } from '../app.module';
import type { Config } from '../platform/config/config';
import { loadConfigWith } from '../platform/config/load-config';
import { databaseOptions } from '../platform/database/database.options';
import { finishMove, type MovedTable, moveToPostgres } from '../platform/database/moving/move-to-postgres';
import { movedFile } from '../platform/database/sqlite/sqlite-file';
import { loadModules } from '../platform/modules/load-modules';
import { RunningServer } from '../platform/operator/operator-client';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-commands';
import { ServerToStop } from './server-to-stop';

/** What was moved, and the new path of the file. */
export interface MoveResult {
  readonly tables: readonly MovedTable[];
  readonly rows: number;
  readonly file: string;
  /** How long a running server refused writes before it stopped; null if none was running. */
  readonly pausedSeconds: number | null;
}

/**
 * Moves an installation from the embedded database to PostgreSQL, with or without a running server. The file is kept
 * under another name, so that no server continues with it by mistake.
 * @param to as in DATABASE_URL
 * @throws CommandRefused, StartRefused
 */
export async function move(to: string, config: Config, context: OperatorContext): Promise<MoveResult> {
  if (config.databaseUrl !== null)
    throw new CommandRefused('DATABASE_URL is set, so this installation already uses PostgreSQL.');
  const modules = loadModules(config).map((module) => module.tables);
  const from = databaseOptions(config, tables, modules);
  const targetConfig = loadConfigWith({ DATA_DIR: config.dataDir, DATABASE_URL: to });
  const target = databaseOptions(targetConfig, tables, modules);
  if (from.engine !== 'sqlite' || target.engine !== 'postgres')
    throw new Error('One is a file and the other is not.');
  const server = await serverOn(config, from.file, context);
  const step = (done: number, total: number, what: string) => {
    context.signal.throwIfAborted();
    server?.throwIfGone();
    context.report({ done, total, what });
  };
  const file = movedFile(from.file);
  const moved = existsSync(from.file)
    ? await moveToPostgres(from, target, server, step)
    : existsSync(file) && (await finishMove(from, target, step));
  if (!moved) throw new CommandRefused(`No database found in ${config.dataDir}.`);
  const rows = moved.reduce((sum, table) => sum + table.rows, 0);
  return { tables: moved, rows, file, pausedSeconds: server?.pausedSeconds ?? null };
}

async function serverOn(
  config: Config,
  file: string,
  context: OperatorContext,
): Promise<ServerToStop | null> {
  const server = await RunningServer.find(config);
  server?.close();
  return server && new ServerToStop(config, file, context.signal);
}
