import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { rowsPutBack } from '../../platform/database/database.hooks';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Directories } from '../../platform/events/directories';
import { Hooks } from '../../platform/hooks/hooks';

/** Tables that a reset keeps: their numbers only increase, so that readers of the log keep following it. */
const KEPT = ['migrations', 'module_migration', 'event_log', 'audience', 'directory_version', 'event_queue'];
/** Search indexes, which are rebuilt from the rows. */
const DERIVED = /^(message|topic)_search/;

/** Server state that belongs to this process. */
const OF_THIS_PROCESS = `key <> 'generation'`;

/**
 * The organization to which a reset returns: a copy of the database, from which rows are restored while the server
 * runs. IDs start over, but event numbers do not.
 */
export class Baseline {
  private readonly database: Database;
  private readonly transactions: TransactionService;
  private readonly directories: Directories;
  private readonly hooks: Hooks;
  private tables: readonly string[] = [];
  private copies = 0;
  private isAttached = false;

  /** @param folder the data folder */
  constructor(
    app: INestApplicationContext,
    private readonly folder: string,
  ) {
    this.database = app.get(Database, { strict: false });
    this.transactions = app.get(TransactionService, { strict: false });
    this.directories = app.get(Directories, { strict: false });
    this.hooks = app.get(Hooks, { strict: false });
  }

  /** Returns to this copy from now on. Call it while nothing writes. */
  async use(copy: string): Promise<void> {
    const { writeSource } = this.database;
    if (this.isAttached) await writeSource.query('DETACH DATABASE start');
    await writeSource.query('ATTACH DATABASE ? AS start', [copy]);
    this.isAttached = true;
    const rows = await this.database.read.query<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid`,
    );
    this.tables = rows.map(({ name }) => name).filter((name) => !KEPT.includes(name) && !DERIVED.test(name));
  }

  /** @returns a copy of the current database */
  async copy(): Promise<string> {
    const path = join(this.folder, `start-${++this.copies}.db`);
    await this.database.copyTo(path);
    return path;
  }

  /** Uses a file that no other process may change as the copy. */
  adopt(file: string): string {
    const path = join(this.folder, `start-${++this.copies}.db`);
    copyFileSync(file, path);
    return path;
  }

  /** Restores all rows and files, and clears caches. */
  async restore(): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      await this.putBack(tx);
      await this.hooks.run(rowsPutBack, tx);
    });
    await this.directories.loadAll();
    // Documents contain no files, so there were none.
    rmSync(join(this.folder, 'files'), { recursive: true, force: true });
  }

  private async putBack(tx: Transaction): Promise<void> {
    await tx.query('PRAGMA defer_foreign_keys = ON');
    // The audit log allows only older rows to be deleted.
    await tx.query(
      `INSERT INTO server_state (key, value) VALUES ('audit log kept since', '9000000000000000')
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    // Referencing tables first.
    for (const table of this.tables.toReversed()) {
      if (table !== 'server_state') await tx.query(`DELETE FROM main.${table}`);
    }
    await tx.query(`DELETE FROM main.server_state WHERE ${OF_THIS_PROCESS}`);
    for (const table of this.tables) {
      const condition = table === 'server_state' ? ` WHERE ${OF_THIS_PROCESS}` : '';
      await tx.query(`INSERT INTO main.${table} SELECT * FROM start.${table}${condition}`);
    }
    await tx.query('DELETE FROM main.sqlite_sequence WHERE name NOT IN (?)', [KEPT]);
    await tx.query(
      'INSERT INTO main.sqlite_sequence SELECT * FROM start.sqlite_sequence WHERE name NOT IN (?)',
      [KEPT],
    );
  }
}
