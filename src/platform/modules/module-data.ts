import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { Transaction } from '../database/transaction.service';
import { tablePrefix } from '../database/database.options';
import { ProcessPurpose } from '../lifecycle/periodic-task';
import type { Queryable } from '../sql/queryable';
import { isNameOf } from './module-problems';
import { LoadedModules } from './load-modules';

/** The data of a module in this database. */
export interface KeptData {
  readonly name: string;
  readonly tables: readonly string[];
  /** Titles of the applied migrations, oldest first. */
  readonly migrations: readonly string[];
}

const TABLE_NAMES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table'`,
  postgres: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
};

/** The data of modules in the database, including modules that are no longer loaded. */
@Injectable()
export class ModuleData implements OnApplicationBootstrap {
  private readonly logger = new Logger('Modules');

  constructor(
    private readonly database: Database,
    private readonly modules: LoadedModules,
    private readonly purpose: ProcessPurpose,
  ) {}

  /** Logs once which data belongs to modules that are not loaded, in case they were omitted by mistake. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.purpose.isServer) return;
    const absent = (await this.all()).filter(({ name }) => this.modules.find(name) === undefined);
    for (const { name, tables } of absent) {
      const amount = tables.length === 1 ? '1 table' : `${tables.length} tables`;
      this.logger.warn(
        `The database has ${amount} of the module ${name}, which is not in PARLEY_MODULES. They are ` +
          `left alone; "parley module remove ${name}" drops them.`,
      );
    }
  }

  /** Sorted by name. */
  async all(db: Queryable = this.database.read): Promise<KeptData[]> {
    const rows = await db.query<{ module: string; number: number; name: string }>(
      'SELECT module, number, name FROM module_migration ORDER BY module, number',
    );
    const tables = await db.query<{ name: string }>(TABLE_NAMES[db.engine]);
    return [...new Set(rows.map(({ module }) => module))].map((name) => ({
      name,
      tables: tables.map((table) => table.name).filter((table) => table.startsWith(tablePrefix(name))),
      migrations: rows.filter(({ module }) => module === name).map((row) => `${row.number} ${row.name}`),
    }));
  }

  /** Drops the tables of a module, and deletes its migration records and pending jobs. */
  async remove(tx: Transaction, { name, tables }: KeptData): Promise<void> {
    if (tx.engine === 'sqlite') {
      // They may reference each other.
      await tx.query('PRAGMA defer_foreign_keys = ON');
      for (const table of tables) await tx.query(`DROP TABLE "${table}"`);
    } else if (tables.length > 0) {
      await tx.query(`DROP TABLE ${tables.map((table) => `"${table}"`).join(', ')}`);
    }
    await tx.query('DELETE FROM module_migration WHERE module = ?', [name]);
    const kinds = await tx.query<{ kind: string }>('SELECT DISTINCT kind FROM job');
    const own = kinds.map(({ kind }) => kind).filter((kind) => isNameOf(name, kind));
    if (own.length > 0) await tx.query('DELETE FROM job WHERE kind IN (?)', [own]);
  }
}
