import type { PoolClient } from 'pg';
import type { SqliteView } from './table-rows';
import { StartRefused } from '../../config/start-refused';
import type { SqlRunner } from '../../sql/queryable';
import { DatabaseUnavailable } from '../database.errors';
import type { PostgresOptions } from '../database.options';
import { Database } from '../database.service';
import { PatientSource } from '../patient-source';
import { connect } from '../postgres/postgres-client';
import { readState } from '../server-state';

/** Key in `server_state` that marks an unfinished move into this database. */
const UNFINISHED_MOVE = 'unfinished move';

/** The database contains a partial copy from a move; another database may still be in use. */
class MoveUnfinished extends StartRefused {
  constructor() {
    super(
      'An earlier move to this database did not finish. Run "parley move" again without DATABASE_URL. The data is still ' +
        'in the previous database.',
    );
  }
}

/** @throws {MoveUnfinished} */
export async function refuseUnfinishedMove(db: SqlRunner): Promise<void> {
  if ((await readState(db, UNFINISHED_MOVE)) !== null) throw new MoveUnfinished();
}

/** The databases do not allow the move; the message says why. */
export class MoveRefused extends StartRefused {}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** The PostgreSQL database that receives everything, in one transaction between two marks. */
export class MoveTarget {
  private foreignKeys: readonly ForeignKey[] = [];
  private triggered: readonly string[] = [];

  private constructor(
    private readonly patient: PatientSource,
    readonly client: PoolClient,
  ) {}

  static async open(options: PostgresOptions): Promise<MoveTarget> {
    // Creates the tables.
    await (await Database.open(options)).close();
    const patient = await PatientSource.open(options);
    return new MoveTarget(patient, await connect(patient.connection()));
  }

  /** Turns the failure of a move into an error for the operator. */
  explain(error: unknown): unknown {
    if (!this.patient.isBrokenOff) return error;
    const sentence = 'PostgreSQL disconnected during the move. Run the command again once it is reachable.';
    return new DatabaseUnavailable(sentence, error);
  }

  /** Whether a move has started; it may or may not be complete. */
  async isMarked(): Promise<boolean> {
    const mark = await this.client.query('SELECT 1 FROM server_state WHERE key = $1', [UNFINISHED_MOVE]);
    return mark.rows.length > 0;
  }

  /**
   * Opens the transaction for all rows. From now on, no server starts on the database.
   * @throws {MoveRefused} if it contains an organization that no move copied
   */
  async begin(): Promise<void> {
    await this.lock();
    const hadMark = await this.isMarked();
    if (!hadMark) await this.requireEmpty();
    await this.mark();
    await this.client.query('COMMIT');
    await this.lock();
    // A server may have started on it in the meantime.
    if (!hadMark) await this.requireEmpty();
    this.triggered = await this.takeTriggers();
    this.foreignKeys = await this.takeForeignKeys();
  }

  /**
   * Commits the copied rows. Servers accept them only after {@link finish}.
   * @param view the copied view
   */
  async complete(view: SqliteView): Promise<void> {
    await this.setNumbers(view);
    for (const { table, name, definition } of this.foreignKeys)
      await this.client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    for (const table of this.triggered) await this.client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await this.mark();
    await this.client.query('COMMIT');
  }

  /** The former database is no longer in use: servers may start on this one. */
  async finish(): Promise<void> {
    await this.client.query('DELETE FROM server_state WHERE key = $1', [UNFINISHED_MOVE]);
    await this.client.query('ANALYZE');
  }

  async close(): Promise<void> {
    await this.patient.close();
  }

  private async lock(): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query('LOCK TABLE account IN ACCESS EXCLUSIVE MODE');
  }

  private async mark(): Promise<void> {
    await this.client.query("INSERT INTO server_state (key, value) VALUES ($1, '') ON CONFLICT DO NOTHING", [
      UNFINISHED_MOVE,
    ]);
  }

  private async requireEmpty(): Promise<void> {
    const { rows } = await this.client.query('SELECT 1 FROM account LIMIT 1');
    if (rows.length > 0)
      throw new MoveRefused('That database already contains an organization. Use an empty database.');
  }

  /** The effects of triggers on a row were stored when it was first written. */
  private async takeTriggers(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ table: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
    );
    for (const { table } of rows) await this.client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    return rows.map(({ table }) => table);
  }

  /** Tables reference each other in circles; references are checked once all rows are there. */
  private async takeForeignKeys(): Promise<readonly ForeignKey[]> {
    const { rows } = await this.client.query<ForeignKey>(
      `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
    );
    for (const { table, name } of rows)
      await this.client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    return rows;
  }

  /**
   * IDs continue from the previous ones, including those of deleted rows; events become readable, and old messages are
   * indexed.
   */
  private async setNumbers(view: SqliteView): Promise<void> {
    const given = view.rows<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence');
    for (const { name, seq } of given) {
      await this.client.query(
        `SELECT setval(pg_get_serial_sequence(c.table_name, c.column_name), $2)
         FROM information_schema.columns c
         WHERE c.table_schema = current_schema() AND c.table_name = $1 AND $2 > 0
           AND pg_get_serial_sequence(c.table_name, c.column_name) IS NOT NULL`,
        [name, seq],
      );
    }
    await this.client.query(
      'UPDATE event_log_head SET number = (SELECT COALESCE(MAX(number), 0) FROM event_log)',
    );
    for (const what of ['message', 'topic']) {
      await this.client.query(
        `UPDATE search_progress SET indexed_id = 0, until_id = (SELECT COALESCE(MAX(id), 0) FROM ${what}) WHERE name = $1`,
        [what],
      );
    }
  }
}
