import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compiledServer } from '../support/compiled-server';
import { docBlocks } from '../support/doc-blocks';
import { freePort } from '../support/free-port';
import { ServerProcess } from '../support/server-process';
import { serviceUser } from '../support/service-user';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

// Each command is a process of its own, beside other tests.
jest.setTimeout(240_000);

if (!serviceUser)
  test.todo('docs/operations.md, "As a service": only root can start the service as its user');

/** What the document puts under "As a service", without comments and headings. */
const blocks = docBlocks('docs/operations.md').filter(({ section }) => section === 'As a service');
const [unit = '', environment = ''] = blocks
  .filter(({ language }) => language === 'ini')
  .map(({ code }) => code);
const commands = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ code }) => code.replaceAll('\\\n', '').split(/^# /m))
  .map((line) => line.trim());

/** The values of a line `Name=value`. */
const valueOf = (text: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';

(serviceUser ? describe : describe.skip)('the service of docs/operations.md, as its user', () => {
  let folder: string;
  let database: TestDatabase;
  let env: Record<string, string>;
  let server: ServerProcess;

  /** Folders as root makes them, and the ones that the document gives to the service. */
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-service-'));
    chmodSync(folder, 0o755);
    mkdirSync(here('/opt/parley'), { recursive: true });
    for (const name of ['node_modules', 'package.json'])
      symlinkSync(join(ROOT, name), here('/opt/parley', name));
    symlinkSync(dirname(compiledServer()), here('/opt/parley/dist'));
    for (const own of [`/var/lib/${valueOf(unit, 'StateDirectory')}`, '/var/backups/parley']) {
      mkdirSync(here(own), { recursive: true });
      chmodSync(here(own), 0o700);
      chownSync(here(own), serviceUser!.uid, serviceUser!.gid);
    }
    const settings = environment
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]);
    const { DATABASE_URL } = database.env;
    env = {
      ...Object.fromEntries(settings),
      ...(DATABASE_URL && { DATABASE_URL }),
      DATA_DIR: here(valueOf(environment, 'DATA_DIR')),
      PORT: await freePort(),
      // What systemd takes from the entry of the user, as `useradd` was told.
      HOME: here(/--home-dir (\S+)/.exec(commands.join('\n'))?.[1] ?? ''),
    };
  });

  afterAll(async () => {
    if (server?.isRunning) {
      server.signal('SIGTERM');
      await server.exitCode();
    }
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A path of the document, in the folder of this test. */
  function here(...path: string[]): string {
    return join(folder, ...path);
  }

  it('starts, and stops on SIGTERM', async () => {
    const [node, ...program] = valueOf(unit, 'ExecStart').split(' ');
    expect(node).toBe('/usr/bin/node');
    const options = { env, folder: here(valueOf(unit, 'WorkingDirectory')), user: serviceUser! };
    server = new ServerProcess(program, options);
    await server.ready();
    expect(server.errors).toBe('');
    const notice = readFileSync(join(env.DATA_DIR!, 'first-sign-in.txt'), 'utf8');
    expect(notice).toMatch(/Email +ada@example\.com/);
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
    server = new ServerProcess(program, options);
    await server.ready();
  });

  const ofService = commands.filter((command) => command.startsWith('systemd-run'));

  it('has commands that run while it runs', () => {
    expect(ofService).toHaveLength(2);
  });

  it.each(ofService)('%s', async (command) => {
    expect(command).toContain(`-p User=${valueOf(unit, 'User')} -p EnvironmentFile=/etc/parley.env`);
    const cwd = here(/WorkingDirectory=(\S+)/.exec(command)?.[1] ?? '');
    const [, program = ''] = /\/usr\/bin\/node (.*)$/.exec(command) ?? [];
    const args = program.split(' ').map((word) => (word.startsWith('/var/') ? here(word) : word));
    const { PATH } = process.env;
    const { stderr } = await run(process.execPath, args, { ...serviceUser!, cwd, env: { PATH, ...env } });
    expect(stderr).toBe('');
    const [, , made] = args.slice(-3);
    if (args.includes('backup')) expect(existsSync(made as string)).toBe(true);
  });
});
