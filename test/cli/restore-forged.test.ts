import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import { CommandLine, type CommandOutcome } from '../support/command-line';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

interface Manifest {
  files: { path: string; size: number; sha256: string }[];
  [key: string]: unknown;
}

describe('a backup that was in other hands', () => {
  let folder: string;
  let origin: TestDatabase;
  let target: TestDatabase;
  let env: Record<string, string>;
  /** As it was made. */
  let whole: string;
  let database: string;
  /** A copy for one test. */
  let forged: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-forged-'));
    origin = await createTestDatabase();
    env = { LOG_LEVEL: 'warn', ...origin.env, DATA_DIR: join(folder, 'data') };
    whole = join(folder, 'whole');
    database = origin.engine === 'postgres' ? 'database.dump' : 'parley.db';
    const made = await new CommandLine(env).run(['init']);
    expect([made.exitCode, made.errors]).toEqual([0, expect.any(String)]);
    await new CommandLine(env).json(['backup', whole, '--with-secret']);
  });

  beforeEach(async () => {
    target = await createTestDatabase();
    forged = join(folder, 'forged');
    cpSync(whole, forged, { recursive: true });
  });

  afterEach(async () => {
    rmSync(forged, { recursive: true });
    rmSync(join(folder, 'restored'), { recursive: true, force: true });
    await target.drop();
  });

  afterAll(async () => {
    await origin.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const restoring = (): CommandLine =>
    new CommandLine({ LOG_LEVEL: 'warn', ...target.env, DATA_DIR: join(folder, 'restored') });

  async function refusal(): Promise<string> {
    const { exitCode, errors }: CommandOutcome = await restoring().run(['restore', forged]);
    expect(exitCode).toBe(1);
    expect(existsSync(join(folder, 'restored/parley.db'))).toBe(false);
    return errors;
  }

  const manifest = (): Manifest =>
    JSON.parse(readFileSync(join(forged, 'manifest.json'), 'utf8')) as Manifest;

  function describeAs(changed: object): void {
    writeFileSync(join(forged, 'manifest.json'), JSON.stringify(changed));
  }

  /** Has the manifest say of a file what is so. */
  function describeFile(path: string, content: Buffer): void {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { files, ...rest } = manifest();
    const others = files.filter((file) => file.path !== path);
    describeAs({ ...rest, files: [...others, { path, size: content.length, sha256 }] });
  }

  it.each<[string, (text: string) => string]>([
    ['a prototype', (text) => text.replace('{', '{ "__proto__": { "hasSecret": true },')],
    [
      'an engine that is a property of every object',
      (text) => text.replace(/"engine": "\w+"/, '"engine": "toString"'),
    ],
    ['a size below zero', (text) => text.replace(/"size": \d+/, '"size": -1')],
    ['a checksum of another length', (text) => text.replace(/"sha256": "\w+"/, '"sha256": "00"')],
    ['a file beside those of a backup', (text) => text.replace('"path": "secret"', '"path": "zuliprc"')],
    ['a file within the database', (text) => text.replace('"path": "secret"', '"path": "parley.db-wal"')],
    ['a file above', (text) => text.replace('"path": "secret"', '"path": "files/../../secret"')],
  ])('is refused for a manifest with %s', async (_what, change) => {
    const text = readFileSync(join(forged, 'manifest.json'), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(join(forged, 'manifest.json'), change(text));
    expect(await refusal()).toMatch(/is not a backup/);
  });

  it('is refused for links in place of files and of folders', async () => {
    renameSync(join(forged, database), join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(forged, database));
    expect(await refusal()).toBe(
      `The backup is damaged: ${database} is not a regular file. Use another backup.\n`,
    );
    rmSync(join(forged, database));
    renameSync(join(folder, 'elsewhere'), join(forged, database));

    mkdirSync(join(folder, 'others'), { recursive: true });
    writeFileSync(join(folder, 'others/note'), 'of somebody else');
    mkdirSync(join(forged, 'files'));
    symlinkSync(join(folder, 'others'), join(forged, 'files/uploads'));
    describeFile('files/uploads/note', Buffer.from('of somebody else'));
    expect(await refusal()).toMatch(/files\/uploads\/note is behind a symbolic link/);
  });

  it.each(['manifest.json', 'secret', 'database'])('is refused for a FIFO as %s', async (what) => {
    const path = join(forged, what === 'database' ? database : what);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await refusal()).toMatch(/is not a regular file/);
  });

  it('is refused for a file that is longer than the manifest says', async () => {
    const content = readFileSync(join(forged, database));
    writeFileSync(join(forged, database), Buffer.concat([content, Buffer.alloc(10_000)]));
    expect(await refusal()).toMatch(/does not match its checksum/);
  });

  it('is restored with the tables of Litestream, and refused with others by their names', async () => {
    if (origin.engine === 'postgres') return;
    const connection = new (loadSqliteDriver('auto').Connection)(join(forged, database));
    connection.exec('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
    connection.exec('CREATE TABLE _litestream_lock (id INTEGER)');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    describeFile(database, readFileSync(join(forged, database)));
    const { exitCode, errors } = await restoring().run(['restore', forged]);
    expect([exitCode, errors]).toEqual([0, '']);
    rmSync(join(folder, 'restored'), { recursive: true });
    connection.exec('DROP TABLE _litestream_lock; CREATE TABLE _litestream_lock (id INTEGER, spied TEXT)');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    describeFile(database, readFileSync(join(forged, database)));
    expect(await refusal()).toMatch(/not created by Parley: table _litestream_lock\./);
  });

  it('is refused for triggers, views and tables that no migration made', async () => {
    if (origin.engine === 'postgres') return inDump();
    const connection = new (loadSqliteDriver('auto').Connection)(join(forged, database));
    for (const sql of [
      `CREATE TRIGGER spy AFTER INSERT ON message BEGIN UPDATE account SET full_name = 'spied'; END`,
      'CREATE VIEW glance AS SELECT 1 AS one',
      'CREATE TABLE module_notes_page (id INTEGER)',
      'CREATE TABLE extra (id INTEGER)',
    ]) {
      connection.prepare(sql).run();
    }
    connection.close();
    describeFile(database, readFileSync(join(forged, database)));
    expect(await refusal()).toBe(
      'The database in the backup was not created by Parley: trigger spy, view glance, table extra. Use another backup.\n',
    );
  });

  /** Triggers are seen before PostgreSQL runs the dump; a table is, once it has. */
  async function inDump(): Promise<void> {
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    const forge = async (sql: string, undo: string): Promise<string> => {
      await client.query(sql);
      rmSync(forged, { recursive: true });
      await new CommandLine(env).json(['backup', forged, '--with-secret']);
      await client.query(undo);
      return refusal();
    };
    try {
      expect(
        await forge(
          `CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
           CREATE TRIGGER spy AFTER INSERT ON message FOR EACH ROW EXECUTE FUNCTION spy()`,
          'DROP FUNCTION spy CASCADE',
        ),
      ).toMatch(/not created by Parley: FUNCTION public spy\(\), TRIGGER public message spy\. Use/);
      expect(await forge('CREATE TABLE extra (id integer)', 'DROP TABLE extra')).toMatch(
        /not created by Parley: table extra\. Delete the database in DATABASE_URL\./,
      );
    } finally {
      await client.end();
    }
  }

  it('is restored without what else lies there, which is named', async () => {
    writeFileSync(join(forged, 'notes.txt'), 'of the operator');
    symlinkSync('/etc/passwd', join(forged, 'link'));
    mkdirSync(join(forged, 'files'), { recursive: true });
    writeFileSync(join(forged, 'files/unknown'), 'not in the manifest');
    const { output, exitCode, errors } = await restoring().run(['restore', forged]);
    expect([exitCode, errors]).toEqual([0, '']);
    expect(output).toContain(
      'Not part of the backup, and left where it is: 3 files (files/unknown, link, notes.txt).',
    );
    expect(existsSync(join(folder, 'restored/files/unknown'))).toBe(false);
  });
});
