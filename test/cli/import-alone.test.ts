import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAllAlone } from '../../src/cli/run-alone';
import { loadConfig } from '../../src/platform/config/load-config';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { CommandLine } from '../support/command-line';
import { createChannelWith } from '../support/channel-setup';
import { sendTo } from '../support/message-setup';
import { ServerProcess } from '../support/server-process';
import { TestApp } from '../support/test-app';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';

// On SQLite, the lock of the database file keeps processes apart.
if (!hasPostgres) test.todo('imports into a database that others use: TEST_DATABASE_URL names none');

const CONTEXT = {
  site: 'http://chat.example.com',
  signal: new AbortController().signal,
  report: () => undefined,
};

jest.setTimeout(240_000);

(hasPostgres ? describe : describe.skip)('An import into a PostgreSQL database', () => {
  let folder: string;
  let archive: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-alone-'));
    archive = join(folder, 'archive.tar.gz');
    const app = await TestApp.start();
    const open = await createChannelWith(app, app.cast.mia, [app.cast.max], 'open');
    for (let at = 0; at < 20; at++) await sendTo(app, app.cast.mia, open, 'topic', `number ${at}`);
    await app.get(OperatorCommands).run('export', { target: archive, content: 'everything' }, CONTEXT);
    await app.stop();
  });

  beforeEach(async () => {
    database = await createTestDatabase('postgres');
  });

  afterEach(() => database.drop());

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The settings of a machine of its own. */
  const machine = (name: string) => ({
    LOG_LEVEL: 'silent',
    EXTERNAL_URL: 'http://chat.example.com',
    OWNER_EMAIL: 'olivia@example.com',
    SECRET_KEY: 'one secret for all machines '.repeat(3),
    ...database.env,
    DATA_DIR: mkdtempSync(join(folder, `${name}-`)),
  });

  it('is refused while a server of another machine uses it', async () => {
    const parley = new CommandLine(machine('import'));
    await parley.json(['init']);
    const server = new ServerProcess([parley.program, 'serve'], {
      env: { ...machine('server'), LOG_LEVEL: 'info' },
    });
    await server.ready();
    const { exitCode, errors } = await parley.run(['import', 'zulip', archive]);
    expect([exitCode, errors]).toEqual([1, expect.stringMatching(/^Another process uses this database/)]);
    server.signal('SIGTERM');
    await server.exitCode();
    expect(await parley.json(['import', 'zulip', archive])).toMatchObject({ wasThere: false });
  });

  it('goes on in one of two processes that began at once', async () => {
    const configs = ['one', 'two'].map((name) => loadConfig(machine(name)));
    await runAllAlone(configs[0]!, (run) => run('init', {}, CONTEXT));
    const results = await Promise.allSettled(
      configs.map((config) => runAllAlone(config, (run) => run('import zulip', { archive }, CONTEXT))),
    );
    const reasons = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(reasons).toEqual([expect.stringMatching(/Another import is running on this database/)]);
    const checked = (await runAllAlone(configs[0]!, (run) => run('check', {}, CONTEXT))) as {
      invariants: { name: string; holds: boolean }[];
    };
    expect(checked.invariants.filter(({ holds }) => !holds)).toEqual([]);
    const again = await runAllAlone(configs[0]!, (run) => run('import zulip', { archive }, CONTEXT));
    expect(again).toMatchObject({ wasThere: true });
  });
});
