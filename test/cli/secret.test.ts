import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the command line about the secret', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let parley: CommandLine;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
    env = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'info', ...database.env };
    parley = new CommandLine(env);
  });

  afterAll(async () => {
    await stop('SIGKILL');
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    server?.signal(signal);
    await server?.exitCode();
  }

  async function start(): Promise<URL> {
    server = new ServerProcess([parley.program, 'serve'], { env });
    const url = await server.ready();
    await server.wrote('Parley is ready');
    return url;
  }

  const secret = () => readFileSync(join(env.DATA_DIR ?? '', 'secret'), 'utf8');
  const outcome = async (...args: string[]) => {
    const { output, errors, exitCode } = await parley.run(['secret', ...args]);
    return exitCode === 0 ? output : errors;
  };

  it('replaces it while the server runs, and says who uses keys of the former one', async () => {
    const { email } = await parley.json(['init']);
    expect(await outcome('status')).toBe('No rotation is under way.\n');
    const { key } = (await parley.json(['user', 'key', email])).zuliprc;
    const whoAmI = async (url: URL) => {
      const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
      return (await fetch(new URL('/api/v1/users/me', url), { headers: { authorization } })).status;
    };
    const former = secret();
    // A rotation that was interrupted before it had a new secret is none.
    writeFileSync(join(env.DATA_DIR ?? '', 'secret.previous'), former);
    expect(await outcome('status')).toBe('No rotation is under way.\n');
    await start();
    expect(await outcome('status')).toBe('No rotation is under way.\n');
    expect(await outcome('rotate')).toContain('Restart the server to use it');
    expect(secret()).not.toBe(former);
    expect(await outcome('status')).toContain('There is a new secret. Restart the server to use it.');
    expect(await outcome('rotate', '--finish')).toContain('has not been started with the new secret');

    await stop('SIGTERM');
    const url = await start();
    expect(await outcome('status')).toContain('None was used since the server started.');
    expect(await whoAmI(url)).toBe(200);
    expect(await outcome('status')).toContain(`Used since the server started:\n  ${email}\n`);
    expect(await outcome('rotate', '--finish')).toContain('are in use');
    expect(await outcome('rotate', '--finish', '--force')).toContain('Removed the former secret.');
    expect(await whoAmI(url)).toBe(200);

    await stop('SIGTERM');
    expect(await whoAmI(await start())).toBe(401);
    await stop('SIGTERM');
  });

  it('leaves alone what is in the environment', async () => {
    const refused = await new CommandLine({ ...env, SECRET_KEY: secret().trim() }).run(['secret', 'rotate']);
    expect(refused).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('The secret is in SECRET_KEY.'),
    });
  });
});
