import type { DataSource } from 'typeorm';
import type { DatabaseOptions } from './database.options';
import { migrateModules } from './modules/module-migrations';
import { writeOldestRelease } from './oldest-release';

/**
 * Applies what is pending: the migrations of the program, and after them those of its modules, each in a transaction of
 * its own.
 * @throws {ModuleTablesRefused}
 */
export async function applyMigrations(
  source: DataSource,
  { modules, onApplied = () => undefined }: DatabaseOptions,
): Promise<void> {
  for (const migration of source.migrations) {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      const began = performance.now();
      await up(runner);
      onApplied({ name: migration.constructor.name, milliseconds: performance.now() - began });
    };
  }
  const isPending = await source.showMigrations();
  const isNew = !(await hasTables(source));
  if (isPending && !isNew) await writeOldestRelease(source);
  await source.runMigrations({ transaction: 'each' });
  if (isNew) await writeOldestRelease(source);
  await migrateModules(source, modules, onApplied);
}

async function hasTables(source: DataSource): Promise<boolean> {
  const runner = source.createQueryRunner();
  try {
    return await runner.hasTable('server_state');
  } finally {
    await runner.release();
  }
}
