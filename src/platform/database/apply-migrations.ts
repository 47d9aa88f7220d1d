import type { DataSource } from 'typeorm';
import type { DatabaseOptions } from './database.options';
import { migrateModules } from './modules/module-migrations';

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
  await source.runMigrations({ transaction: 'each' });
  await migrateModules(source, modules, onApplied);
}
