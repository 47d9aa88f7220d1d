import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { rowsPutBack } from '../../platform/database/database.hooks';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Directories } from '../../platform/events/directories';
import { Hooks } from '../../platform/hooks/hooks';

/** Tables that a reset keeps: their numbers grow forever, so readers of the log keep following it. */
const KEPT = ['migrations', 'module_migration', 'event_log', 'audience', 'directory_version', 'event_queue'];
/** What search makes of the rows, and makes again. */
const DERIVED = /^(message|topic)_search/;

/** Rows of the state of the server that belong to this process. */
const OF_THIS_PROCESS = `key <> 'generation'`;

/**
 * The organization that a reset goes back to: a copy of the database, from which its rows are put back while the server
 * runs. IDs begin again where they began, and the numbers of events do not.
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

  /** Goes back to this copy from now on. To be called while nothing writes. */
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

  /** @returns a copy of everything as it is now */
  async copy(): Promise<string> {
    const path = join(this.folder, `start-${++this.copies}.db`);
    await this.database.copyTo(path);
    return path;
  }

  /** The same from a file that no other process may change. */
  adopt(file: string): string {
    const path = join(this.folder, `start-${++this.copies}.db`);
    copyFileSync(file, path);
    return path;
  }

  /** Puts every row and file back, and has everybody who remembers others forget them. */
  async restore(): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      await this.putBack(tx);
      await this.hooks.run(rowsPutBack, tx);
    });
    await this.directories.loadAll();
    // No document brings files, so there were none.
    rmSync(join(this.folder, 'files'), { recursive: true, force: true });
  }

  private async putBack(tx: Transaction): Promise<void> {
    await tx.query('PRAGMA defer_foreign_keys = ON');
    // The audit log lets go of what is older than this alone.
    await tx.query(
      `INSERT INTO server_state (key, value) VALUES ('audit log kept since', '9000000000000000')
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    // Those that refer to others first.
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
