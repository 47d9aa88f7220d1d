import type { PostgresOptions, SqliteOptions } from '../database.options';
import { migrationStatus } from '../applied-migrations';
import { setFileAside, movedFile, SqliteOwnerLock } from '../sqlite/sqlite-file';
import { type SqliteDriver, loadSqliteDriver } from '../sqlite/sqlite-driver';
import { MoveRefused, MoveTarget } from './move-target';
import { SqliteView, type TableSum } from './table-rows';
import { TableCopy } from './table-copy';

/** Tables specific to each engine: the running server rebuilds the search indexes. */
const OWN = /^(migrations|event_log_head|(message|topic)_search.*|search_progress|sqlite_.*)$/;

/** Once a copy round finds this few changes, the server is asked to pause writes. */
const FEW_CHANGES = 2_000;
/** However many writes there are. */
const MOST_ROUNDS = 6;

/** A table, and the checksum of its rows in both databases. */
export interface MovedTable extends TableSum {
  readonly table: string;
}

/** Receives the progress of the move. */
export type Step = (done: number, total: number, what: string) => void;

/** The server that keeps using the file while it is copied. */
export interface FileUser {
  /** Resolves once writes have stopped. */
  pause(): Promise<void>;
  /** Closes the file permanently and leaves it renamed. */
  leave(): Promise<void>;
}

/**
 * Moves a database file to an empty PostgreSQL database, atomically. Concurrent writes of a server are copied in
 * further rounds, the last one while writes are paused. PostgreSQL is complete at the commit, but servers refuse it
 * until the file is renamed: at no moment could servers start on both.
 * @param user without one, no other process may have the file open
 * @throws {DatabaseInUse}
 * @throws {MoveRefused}
 */
export async function moveToPostgres(
  from: SqliteOptions,
  to: PostgresOptions,
  user: FileUser | null,
  step: Step,
): Promise<readonly MovedTable[]> {
  const driver = loadSqliteDriver(from.driver);
  const lock = user ? null : SqliteOwnerLock.acquire(driver, from.file);
  try {
    const { pending, unknown } = await migrationStatus(from);
    if (pending.length + unknown.length > 0)
      throw new MoveRefused(
        'The SQLite database belongs to another release. Start the server with this release once.',
      );
    const target = await MoveTarget.open(to);
    try {
      const moved = await new Move(driver, from.file, target, step).run(user);
      await (user ? user.leave() : setFileAside(driver, from.file));
      await target.finish();
      return moved;
    } catch (error) {
      throw target.explain(error);
    } finally {
      await target.close();
    }
  } finally {
    lock?.release();
  }
}

/**
 * Completes a move that was interrupted after the file had been renamed.
 * @returns null if there is no such move
 * @throws {MoveRefused} if the databases differ
 */
export async function finishMove(
  from: SqliteOptions,
  to: PostgresOptions,
  step: Step,
): Promise<readonly MovedTable[] | null> {
  const target = await MoveTarget.open(to);
  try {
    if (!(await target.isMarked())) return null;
    const moved = await new Move(loadSqliteDriver(from.driver), movedFile(from.file), target, step).compare();
    await target.finish();
    return moved;
  } catch (error) {
    throw target.explain(error);
  } finally {
    await target.close();
  }
}

/** One move, with the most recently copied view of the file. */
class Move {
  private tables: readonly TableCopy[] = [];
  private view: SqliteView;

  constructor(
    private readonly driver: SqliteDriver,
    private readonly file: string,
    private readonly target: MoveTarget,
    private readonly step: Step,
  ) {
    this.view = SqliteView.open(driver, file);
  }

  async run(user: FileUser | null): Promise<readonly MovedTable[]> {
    try {
      await this.target.begin();
      await this.findTables();
      await this.copyAll();
      if (user) await this.follow(user);
      const moved = await this.sums();
      await this.target.complete(this.view);
      return moved;
    } finally {
      // Required before the file can be renamed.
      this.view.close();
    }
  }

  async compare(): Promise<readonly MovedTable[]> {
    try {
      await this.target.client.query('BEGIN');
      await this.findTables();
      const step = this.stepOf(this.tables.reduce((sum, table) => sum + table.count(this.view), 0));
      for (const table of this.tables) {
        // The mark itself is not compared.
        if (table.name !== 'server_state') await table.compare(this.view, (rows) => step(rows, table.name));
      }
      this.tables = this.tables.filter(({ name }) => name !== 'server_state');
      const moved = await this.sums();
      await this.target.client.query('COMMIT');
      return moved;
    } finally {
      this.view.close();
    }
  }

  private async findTables(): Promise<void> {
    const names = this.view
      .rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
      .map(({ name }) => name)
      .filter((name) => !OWN.test(name));
    const tables: TableCopy[] = [];
    for (const name of names) {
      const table = await TableCopy.of(this.target.client, name);
      if (!table.isPossible) throw new MoveRefused(leftOut(name));
      tables.push(table);
    }
    this.tables = tables;
  }

  private async copyAll(): Promise<void> {
    const step = this.stepOf(this.tables.reduce((sum, table) => sum + table.count(this.view), 0));
    for (const table of this.tables) {
      // Rows from migrations, or from an unfinished move.
      await this.target.client.query(`TRUNCATE "${table.name}"`);
      await table.copy(this.view, (rows) => step(rows, table.name));
    }
    await this.target.client.query('ANALYZE');
  }

  private async follow(user: FileUser): Promise<void> {
    for (let round = 1; round < MOST_ROUNDS; round++) {
      if ((await this.catchUp('changes')) < FEW_CHANGES) break;
    }
    await user.pause();
    await this.catchUp('the last writes, while the server waits');
  }

  private async catchUp(what: string): Promise<number> {
    const now = SqliteView.open(this.driver, this.file);
    const before = this.view;
    this.view = now;
    try {
      let changes = 0;
      for (const [at, table] of this.tables.entries()) {
        changes += await table.catchUp(before, now, () => this.step(at, this.tables.length, what));
      }
      return changes;
    } finally {
      before.close();
    }
  }

  private async sums(): Promise<readonly MovedTable[]> {
    const moved: MovedTable[] = [];
    for (const table of this.tables) {
      const sum = await table.sum(this.view);
      if (!sum) throw new MoveRefused(`${table.name} would differ between the databases. Nothing was moved.`);
      moved.push({ table: table.name, ...sum });
    }
    return moved;
  }

  private stepOf(total: number): (rows: number, table: string) => void {
    let done = 0;
    return (rows, table) => this.step((done += rows), total, table);
  }
}

/** Why a table has no counterpart: only tables of loaded modules are created. */
function leftOut(table: string): string {
  const module = /^module_([a-z0-9]+)_/.exec(table)?.[1];
  if (module === undefined) return `Table ${table} belongs to no feature or module; nothing was moved.`;
  return (
    `The table ${table} is of the module ${module}, which PARLEY_MODULES does not name: name it, or drop its tables ` +
    `with "parley module remove ${module}". Nothing was moved.`
  );
}
