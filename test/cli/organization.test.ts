import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the command line about the organization as a whole', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let parley: CommandLine;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
    env = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'info', ...database.env };
    parley = new CommandLine(env);
  });

  afterAll(async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes it out of use and back into it, whether the server runs or not', async () => {
    const { email, password } = await parley.json(['init']);
    expect((await parley.run(['organization', 'deactivate'])).output).toBe(
      'Parley is now deactivated. All data is kept.\n',
    );
    server = new ServerProcess([parley.program, 'serve'], { env });
    const site = await server.ready();
    const signIn = async () => {
      const body = new URLSearchParams({ username: email, password });
      const answer = await fetch(new URL('/api/v1/fetch_api_key', site), { method: 'POST', body });
      return ((await answer.json()) as { code?: string }).code;
    };
    expect(await signIn()).toBe('REALM_DEACTIVATED');
    expect((await parley.run(['organization', 'deactivate'])).output).toBe(
      'Parley is deactivated already.\n',
    );
    const users = await parley.json(['user', 'list']);
    expect(users.users).toHaveLength(1);
    expect(await parley.json(['organization', 'reactivate'])).toEqual({
      organization: 'Parley',
      active: true,
      changed: true,
    });
    expect(await signIn()).toBeUndefined();
    expect((await parley.run(['organization', 'reactivate'])).output).toBe('Parley is not deactivated.\n');
    const audit = await parley.json(['audit']);
    const about = (audit.entries as { action: string }[]).filter(({ action }) => /activated$/.test(action));
    expect(about.map(({ action }) => action)).toEqual([
      'organization.deactivated',
      'organization.reactivated',
    ]);
  });
});
