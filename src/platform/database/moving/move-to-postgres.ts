import { Client } from 'pg';
import { postgresAddresses } from '../../config/postgres-address';
import { StartRefused } from '../../config/start-refused';
import { numbersAsNumbers } from '../data-source.options';
import { Database } from '../database.service';
import type { PostgresOptions, SqliteOptions } from '../database.options';
import { migrationStatus } from '../migration-status';
import { type SqliteConnection, loadSqliteDriver } from '../sqlite/sqlite-driver';
import { SqliteOwnerLock } from '../sqlite/sqlite-owner-lock';
import { TableCopy, type TableSum } from './table-copy';

/** Tables that each engine has for itself: the server fills the search indexes anew once it runs. */
const OWN = /^(migrations|event_log_head|(message|topic)_search.*|search_progress|sqlite_.*)$/;

/** The databases do not allow the move; the sentence says why. */
class MoveRefused extends StartRefused {}

/** A table, and what both databases hold of it. */
export interface MovedTable extends TableSum {
  readonly table: string;
}

/** Told how far the move is. */
type Step = (done: number, total: number, table: string) => void;

/**
 * Copies everything from a database file to an empty PostgreSQL database, wholly or not at all, and compares both before
 * it is kept. The file is only read, and nobody else may have it open meanwhile.
 * @throws {DatabaseInUse} while a server has the file
 * @throws {MoveRefused}
 */
export async function moveToPostgres(
  from: SqliteOptions,
  to: PostgresOptions,
  step: Step,
): Promise<readonly MovedTable[]> {
  const driver = loadSqliteDriver(from.driver);
  const lock = SqliteOwnerLock.acquire(driver, from.file);
  try {
    const { pending, unknown } = await migrationStatus(from);
    if (pending.length + unknown.length > 0)
      throw new MoveRefused(
        'The embedded database is of another release: start the server with this one once.',
      );
    // Makes the tables.
    await (await Database.open(to)).close();
    const source = new driver.Connection(from.file);
    try {
      const moved = await copyInto(source, to.url, step);
      // The file is whole without the one beside it.
      source.pragma('wal_checkpoint(TRUNCATE)');
      return moved;
    } finally {
      source.close();
    }
  } finally {
    lock.release();
  }
}

async function copyInto(source: SqliteConnection, url: string, step: Step): Promise<readonly MovedTable[]> {
  const client = new Client({ connectionString: postgresAddresses(url)?.[0], types: numbersAsNumbers() });
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT 1 FROM account LIMIT 1');
    if (rows.length > 0)
      throw new MoveRefused('There is an organization in that database already: name an empty one.');
    const keys = await takeForeignKeys(client);
    const moved = await copyTables(source, client, step);
    await setNumbers(source, client);
    for (const key of keys)
      await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT ${key.name} ${key.definition}`);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return moved;
  } finally {
    await client.end();
  }
}

async function copyTables(source: SqliteConnection, client: Client, step: Step): Promise<MovedTable[]> {
  const names = source
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !OWN.test(name));
  const copies: TableCopy[] = [];
  for (const name of names) {
    const copy = await TableCopy.of(source, client, name);
    if (!copy.isPossible) throw new MoveRefused(leftOut(name));
    copies.push(copy);
  }
  const total = copies.reduce((sum, copy) => sum + copy.count(), 0);
  let done = 0;
  const moved: MovedTable[] = [];
  for (const copy of copies) {
    // What migrations put there.
    await client.query(`DELETE FROM "${copy.name}"`);
    const read = await copy.copy((rows) => step((done += rows), total, copy.name));
    const written = await copy.sum();
    if (read.rows !== written.rows || read.checksum !== written.checksum)
      throw new MoveRefused(`${copy.name} would not be the same in both databases; nothing was moved.`);
    moved.push({ table: copy.name, ...written });
  }
  return moved;
}

/** Why a table has no counterpart: the modules that are loaded made theirs. */
function leftOut(table: string): string {
  const module = /^module_([a-z0-9]+)_/.exec(table)?.[1];
  if (module === undefined) return `Nobody knows the table ${table}; nothing was moved.`;
  return (
    `The table ${table} is of the module ${module}, which PARLEY_MODULES does not name: name it, or drop its tables ` +
    `with "parley module remove ${module}". Nothing was moved.`
  );
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Tables refer to each other in circles; what they refer to is looked for once all is there. */
async function takeForeignKeys(client: Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/** IDs go on where they were, those of what was deleted included; events can be read, and old messages are indexed. */
async function setNumbers(source: SqliteConnection, client: Client): Promise<void> {
  const given = source.prepare('SELECT name, seq FROM sqlite_sequence').all() as {
    name: string;
    seq: number;
  }[];
  for (const { name, seq } of given) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence(c.table_name, c.column_name), $2)
       FROM information_schema.columns c
       WHERE c.table_schema = current_schema() AND c.table_name = $1 AND $2 > 0
         AND pg_get_serial_sequence(c.table_name, c.column_name) IS NOT NULL`,
      [name, seq],
    );
  }
  await client.query('UPDATE event_log_head SET number = (SELECT COALESCE(MAX(number), 0) FROM event_log)');
  for (const what of ['message', 'topic']) {
    await client.query(
      `UPDATE search_progress SET indexed_id = 0, until_id = (SELECT COALESCE(MAX(id), 0) FROM ${what}) WHERE name = $1`,
      [what],
    );
  }
}
