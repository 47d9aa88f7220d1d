import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { tables } from '../app.module';
import type { Config } from '../platform/config/config';
import { loadConfigWith } from '../platform/config/load-config';
import { databaseOptions } from '../platform/database/database.options';
import { type MovedTable, moveToPostgres } from '../platform/database/moving/move-to-postgres';
import { loadModules } from '../platform/modules/load-modules';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-command';

/** What was moved, and where the file is now. */
export interface MoveResult {
  readonly tables: readonly MovedTable[];
  readonly rows: number;
  readonly file: string;
}

/**
 * Moves an installation from the embedded database to PostgreSQL. Its file stays, under another name, so that no server
 * goes on with it by mistake.
 * @param to as in DATABASE_URL
 * @throws CommandRefused, StartRefused
 */
export async function move(
  to: string,
  config: Config,
  { signal, report }: OperatorContext,
): Promise<MoveResult> {
  if (config.databaseUrl !== null)
    throw new CommandRefused('DATABASE_URL is set, so this installation is on PostgreSQL already.');
  const modules = loadModules(config).map(({ definition }) => definition);
  const from = databaseOptions(config, tables, modules);
  const targetConfig = loadConfigWith({ DATA_DIR: config.dataDir, DATABASE_URL: to });
  const target = databaseOptions(targetConfig, tables, modules);
  if (from.engine !== 'sqlite' || target.engine !== 'postgres')
    throw new Error('One is no file, or the other is one.');
  if (!existsSync(from.file)) throw new CommandRefused(`There is no database in ${config.dataDir}.`);
  const moved = await moveToPostgres(from, target, (done, total, what) => {
    signal.throwIfAborted();
    report({ done, total, what });
  });
  const file = join(config.dataDir, 'parley.db.moved');
  await rename(from.file, file);
  return { tables: moved, rows: moved.reduce((sum, { rows }) => sum + rows, 0), file };
}
