import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { tables } from '../../src/app.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { Database } from '../../src/platform/database/database.service';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the command line about the database', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let parley: CommandLine;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-database-'));
    env = { LOG_LEVEL: 'warn', ...database.env, DATA_DIR: folder };
    parley = new CommandLine(env);
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Changes what no command changes. */
  async function tamper(statement: string): Promise<void> {
    const opened = await Database.open(databaseOptions(loadConfig(env), tables));
    await opened.writeSource.query(statement);
    await opened.close();
  }

  it('says which release it is, and which tables belong to it', async () => {
    const { exitCode, output } = await parley.run(['--version']);
    const { pending } = await parley.json(['migrate', '--status']);
    expect(exitCode).toBe(0);
    expect(output.split('\n')).toEqual([
      `parley ${version}`,
      expect.stringMatching(/^commit {9}([0-9a-f]{12}(-dirty)?|unknown)$/),
      expect.stringMatching(/^feature level {2}\d+ \(Zulip \d+\.\d+\)$/),
      `schema         ${pending.at(-1)}`,
      '',
    ]);
  });

  it('brings the tables up to date, and says before what there is to do', async () => {
    const { exitCode } = await parley.run(['migrate', '--status']);
    const { applied, pending } = await parley.json(['migrate', '--status']);
    expect([exitCode, applied]).toEqual([1, []]);
    await expect(parley.json(['migrate'])).resolves.toEqual({ applied: pending });
    await expect(parley.json(['migrate', '--status'])).resolves.toEqual({
      applied: pending,
      pending: [],
      unknown: [],
      isUsable: true,
    });
    await expect(parley.run(['migrate'])).resolves.toMatchObject({
      exitCode: 0,
      output: 'The tables are up to date.\n',
    });
  });

  it('names what does not hold, with exit code 1', async () => {
    await parley.run(['init']);
    await tamper('UPDATE topic SET message_count = 7');
    const { exitCode, output } = await parley.run(['check']);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^BROKEN {2}topics: A topic knows .*\n +Topic \d+, "welcome", says 7 up to \d+, and has 1 up to/m,
    );
    expect(output).toMatch(/\n1 of \d+ invariants do not hold\. Stop the server, and restore/);
    await tamper('UPDATE topic SET message_count = 1');
    await expect(parley.run(['check'])).resolves.toMatchObject({ exitCode: 0 });
  });

  const allowFrom = (release: string) =>
    tamper(`UPDATE server_state SET value = '${release}' WHERE key = 'oldest_release'`);

  it('works on tables that a newer release has changed, if that one allows it', async () => {
    await tamper("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
    await expect(parley.json(['migrate', '--status'])).resolves.toMatchObject({
      unknown: ['Later9999999999999'],
      isUsable: true,
    });
    await expect(parley.run(['migrate'])).resolves.toMatchObject({ exitCode: 0 });
    const server = new ServerProcess([parley.program, 'serve'], { env: { ...env, LOG_LEVEL: 'info' } });
    const url = await server.ready();
    const health = await fetch(new URL('/health/ready', url)).then((answer) => answer.json());
    expect(health).toMatchObject({ status: 'ready', checks: { migrations: 'ok' } });
    expect(server.output).toContain('A newer release changed the tables. This one works on them.');
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
  });

  it('leaves alone what a newer release has changed otherwise', async () => {
    await allowFrom('99.0.0');
    for (const args of [['user', 'list'], ['serve'], ['migrate']]) {
      const { exitCode, errors } = await parley.run(args);
      expect([args, exitCode, errors]).toEqual([
        args,
        1,
        expect.stringMatching(/newer release .* Later9999999999999/),
      ]);
    }
    await expect(parley.json(['migrate', '--status'])).resolves.toMatchObject({
      unknown: ['Later9999999999999'],
      isUsable: false,
    });
  });
});
