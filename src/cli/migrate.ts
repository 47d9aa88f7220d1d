import { tables } from '../app.module';
import { databaseOptions } from '../platform/database/database.options';
import { DatabaseTooNew } from '../platform/database/database.errors';
import { migrationStatus } from '../platform/database/applied-migrations';
import { loadModules } from '../platform/modules/load-modules';
import { RunningServer } from '../platform/operator/operator-client';
import { CommandRefused } from '../platform/operator/operator-commands';
import type { Outcome } from './output';
import { configOf, runCommand, type CommonOptions } from './run-command';

/** Applies the pending migrations, or only lists them. */
export async function migrate(options: CommonOptions & { readonly status?: boolean }): Promise<Outcome> {
  const config = configOf(options);
  const modules = loadModules(config).map((module) => module.tables);
  const status = await migrationStatus(databaseOptions(config, tables, modules));
  const { applied, pending, unknown, isUsable } = status;
  if (options.status) {
    const lines = [
      ...applied.map((name) => `applied  ${name}`),
      ...pending.map((name) => `pending  ${name}`),
      ...unknown.map((name) => `unknown  ${name}`),
    ];
    const exitCode = pending.length > 0 || !isUsable ? 1 : 0;
    return { result: status, text: lines.join('\n'), exitCode };
  }
  if (!isUsable) throw new DatabaseTooNew(unknown);
  if (pending.length === 0) return { result: { applied: [] }, text: 'The tables are up to date.' };
  const server = await RunningServer.find(config);
  if (server) {
    server.close();
    throw new CommandRefused('The running server is an earlier release. Stop it, then start this one.');
  }
  await runCommand('migrate', {}, options);
  return { result: { applied: pending }, text: pending.map((name) => `applied  ${name}`).join('\n') };
}
