import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

const LATEST = 'KnownDevices1700000000053';

describe('parley upgrade --rehearse', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let server: ServerProcess;
  let site: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'parley-rehearsal-'));
    env = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '0', ...database.env, DATA_DIR: folder };
    await new CommandLine(env).json(['init']);
    await new CommandLine(env).json(['demo', '--size', '30']);
    server = new ServerProcess([new CommandLine(env).program, 'serve'], { env });
    site = (await server.ready()).origin;
  });

  afterAll(async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    await database.drop();
    rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
  });

  const rehearse = (...more: string[]) =>
    new CommandLine(env).run(['upgrade', '--rehearse', '--site', site, ...more]);

  /** Past the server, which does not notice. */
  async function change(...statements: string[]): Promise<void> {
    if (database.engine === 'postgres') {
      const client = new Client({ connectionString: env.DATABASE_URL });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
      return;
    }
    const { Connection } = loadSqliteDriver('auto');
    const connection = new Connection(join(env.DATA_DIR ?? '', 'parley.db'), { timeout: 5_000 });
    for (const statement of statements) connection.exec(statement);
    connection.close();
  }

  const folders = () => readdirSync(env.DATA_DIR ?? '').filter((name) => name.startsWith('.rehearsal-'));

  /** What a rehearsal could have left: folders, and databases on PostgreSQL. */
  async function leftovers(): Promise<string[]> {
    if (database.engine !== 'postgres') return folders();
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE 'parley\\_rehearsal\\_%'`,
    );
    await client.end();
    return [...folders(), ...rows.map(({ name }) => name)];
  }

  /** Process IDs of servers on copies of this installation. */
  function serversOnCopies(): string[] {
    const place = `DATA_DIR=${join(env.DATA_DIR ?? '', '.rehearsal-')}`;
    return readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(place);
      } catch {
        return false;
      }
    });
  }

  it('compares what every role can read, and changes nothing', async () => {
    const { exitCode, output } = await rehearse();
    expect([exitCode, output]).toEqual([0, expect.stringContaining('No migrations are pending.')]);
    expect(output).toMatch(/All \d+ invariants hold\./);
    expect(output).toMatch(/Compared (\d{2,3}) reads of \d accounts: 0 differences\./);
    expect(await leftovers()).toEqual([]);
    const status = await fetch(`${site}/health/ready`).then((answer) => answer.json());
    expect(status).toMatchObject({ status: 'ready' });
  });

  it('applies pending migrations to the copy alone', async () => {
    await change('DROP TABLE known_device', `DELETE FROM migrations WHERE name = '${LATEST}'`);
    const { migrations, violated, differences } = await new CommandLine(env).json([
      'upgrade',
      '--rehearse',
      '--site',
      site,
    ]);
    expect({ migrations, violated, differences }).toEqual({
      migrations: [{ name: LATEST, milliseconds: expect.any(Number) }],
      violated: [],
      differences: [],
    });
    const { pending } = await new CommandLine(env).json(['migrate', '--status']);
    expect(pending).toEqual([LATEST]);
  });

  it('names what is answered otherwise, without the contents', async () => {
    await change(`UPDATE account SET full_name = 'Somebody Else' WHERE role = 100`);
    const { exitCode, output } = await rehearse();
    expect(exitCode).toBe(1);
    expect(output).toContain('  /users/me (owner): body.full_name\n');
    expect(output).not.toContain('Somebody Else');
  });

  it('is without effect where it is killed, and the next one cleans up', async () => {
    for (const afterMs of [0, 200, 800]) {
      const before = folders();
      const { program } = new CommandLine(env);
      const command = new ServerProcess([program, 'upgrade', '--rehearse', '--site', site], { env });
      while (folders().every((name) => before.includes(name))) await pause(5);
      await pause(afterMs);
      command.signal('SIGKILL');
      await command.exitCode();
    }
    expect(await leftovers()).not.toEqual([]);
    const { pending } = await new CommandLine(env).json(['migrate', '--status']);
    await rehearse();
    expect(await leftovers()).toEqual([]);
    expect((await new CommandLine(env).json(['migrate', '--status'])).pending).toEqual(pending);
    if (process.platform === 'linux') expect(serversOnCopies()).toEqual([]);
  });

  it('runs once at a time', async () => {
    const both = await Promise.all([rehearse(), rehearse()]);
    const refused = both.filter(({ errors }) =>
      errors.includes('Another upgrade or rehearsal of this server'),
    );
    expect(refused).toHaveLength(1);
    expect(await leftovers()).toEqual([]);
  });

  // With SQLite, the copy is a file, and there is no pooler.
  const onPostgres = process.env.TEST_ENGINE === 'postgres' ? it : it.skip;
  onPostgres('needs PostgreSQL itself, and not a pooler', async () => {
    const pooled = new CommandLine({ ...env, DATABASE_POOLER: 'transaction' });
    const { exitCode, errors } = await pooled.run(['upgrade', '--rehearse', '--site', site]);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('without DATABASE_POOLER.')]);
  });

  it('needs a running server', async () => {
    const { exitCode, errors } = await new CommandLine(env).run([
      'upgrade',
      '--rehearse',
      '--site',
      'http://127.0.0.1:1',
    ]);
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringContaining('No server answers at http://127.0.0.1:1.'),
    ]);
    expect(await leftovers()).toEqual([]);
  });
});
