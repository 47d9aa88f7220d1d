import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { tables } from '../../src/app.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { compiledServer } from '../support/compiled-server';
import { databaseContent } from '../support/database-content';
import { docBlocks } from '../support/doc-blocks';
import { freePort } from '../support/free-port';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const describeWithCurl = hasCurl ? describe : describe.skip;
if (!hasCurl) test.todo('docs/operations.md: curl is not installed here');

// Each command is a process of its own, beside other tests.
jest.setTimeout(300_000);

/** Commands of docs/operations.md that need no root, by the section they stand in. */
const scripts = docBlocks('docs/operations.md').filter(({ language }) => language === 'sh');

/** The next block of a section that was not run yet, each once. */
const left = [...scripts];
function next(section: string): string {
  const at = left.findIndex((block) => block.section === section);
  if (at < 0) throw new Error(`docs/operations.md has no further block under "${section}".`);
  return left.splice(at, 1)[0]?.code as string;
}

/** npm looks through all packages before it runs the program, which takes it two seconds of processor time. */
const WITHOUT_NPM = 'npx() { [ "$1" = parley ] && node dist/cli/main.js "${@:2}"; }';

describeWithCurl('docs/operations.md', () => {
  let folder: string;
  let env: Record<string, string>;
  /** Of the organization, of the sample and of what is restored: on PostgreSQL each wants a database of its own. */
  let databases: Record<'data' | 'sample' | 'restored', TestDatabase>;
  let server: ServerProcess;
  /** What an earlier block left in the shell for later ones. */
  let memory = '';
  /** What later blocks run in place of npx, once it was seen to find the program. */
  let npx = '';

  /** The folder that `npm ci` and `npm run build` leave, made of what is there already. */
  beforeAll(async () => {
    folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'parley-operations-'))), 'parley');
    mkdirSync(folder);
    for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name));
    symlinkSync(dirname(compiledServer()), join(folder, 'dist'));
    databases = {
      data: await createTestDatabase(),
      sample: await createTestDatabase(),
      restored: await createTestDatabase(),
    };
    env = {
      PORT: await freePort(),
      HOME: folder,
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
    };
  });

  afterAll(async () => {
    if (server?.isRunning) {
      server.signal('SIGTERM');
      await server.exitCode();
    }
    rmSync(dirname(folder), { recursive: true, force: true });
    for (const database of Object.values(databases)) await database.drop();
  });

  /** What names the database; nothing where it is in the data folder. */
  const databaseEnv = (name: keyof typeof databases): Record<string, string> => {
    const { DATABASE_URL } = databases[name].env;
    return DATABASE_URL === undefined ? {} : { DATABASE_URL };
  };

  /** Runs a block in the shell of whoever follows the document, and returns what it printed. */
  async function follow(script: string, database: keyof typeof databases = 'data'): Promise<string> {
    const remember = `declare -p SITE BOT ORGANIZATION_NAME OWNER_EMAIL > "$HOME/.memory" 2>/dev/null || true`;
    const program = `set -euo pipefail\n${npx}\n${memory}\n${script}\n${remember}`;
    const { stdout } = await run('bash', ['-c', program], {
      cwd: folder,
      env: { ...env, ...databaseEnv(database), PATH: process.env.PATH },
    });
    memory = readFileSync(join(folder, '.memory'), 'utf8');
    return stdout;
  }

  const inFolder = (...names: string[]) => join(folder, ...names);
  const content = (name: keyof typeof databases) =>
    databaseContent(databaseOptions(loadConfig({ DATA_DIR: inFolder(name), ...databaseEnv(name) }), tables));

  it('installs with commands that there are', async () => {
    const lines = next('Install').trim().split('\n');
    // What these two do is what the folder was made with; `npm run ci` runs them on a clone.
    expect(lines.splice(0, 2)).toEqual(['npm ci', 'npm run build']);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await follow(lines.join('\n'))).toMatch(`parley ${version}\n`);
  });

  it('makes the organization, once', async () => {
    const script = next('First start');
    const printed = await follow(script);
    expect(printed).toContain('Created the organization Example.');
    expect(printed).toMatch(/Email +ada@example\.com/);
    expect(printed).toMatch(/Password +\S+ +\(shown only once\)/);
    expect(statSync(inFolder('data/zuliprc')).mode & 0o777).toBe(0o600);
    expect(await follow(script)).toContain('already exists');
  });

  it('starts the server', async () => {
    expect(next('First start')).toBe('npx parley serve\n');
    const options = { env: { ...env, ...databaseEnv('data') }, folder };
    const throughNpx = new ServerProcess(['parley', 'serve'], options, 'npx');
    const address = await throughNpx.ready();
    expect(throughNpx.output).not.toMatch(/Password/);
    await expect(fetch(new URL('/health/ready', address))).resolves.toMatchObject({ status: 200 });
    throughNpx.signal('SIGTERM');
    // That is when the server itself has ended: npx does not wait for it.
    await throughNpx.exitCode();
    expect(throughNpx.output).toContain('Stopping on SIGTERM');
    npx = WITHOUT_NPM;
    server = new ServerProcess([inFolder('dist/cli/main.js'), 'serve'], options);
    await server.ready();
  });

  it('adds people and a bot while it runs', async () => {
    const printed = await follow(next('Add people, connect a bot'));
    expect(printed).toMatch(/Grace Hopper \(ID \d+\) is a new administrator/);
    expect(printed).toMatch(/^\d+ +ada@example\.com .*owner *$/m);
    expect(printed).toMatch(/^\d+ +grace@example\.com +Grace Hopper +administrator *$/m);
    expect(printed).toContain(inFolder('build.zuliprc'));
    expect(statSync(inFolder('build.zuliprc')).mode & 0o777).toBe(0o600);
  });

  it('invites people with links that work', async () => {
    const links = (await follow(next('Invite people, send mail'))).match(/http\S+/g) ?? [];
    expect(links).toHaveLength(2);
    for (const link of links) await expect(fetch(link)).resolves.toMatchObject({ status: 200 });
  });

  it('connects the bot', async () => {
    const answer = JSON.parse(await follow(next('Add people, connect a bot'))) as object;
    expect(answer).toMatchObject({ result: 'success', id: expect.any(Number) });
  });

  it('makes a sample beside it', async () => {
    const printed = await follow(next('A sample to look at'), 'sample');
    expect(printed).toMatch(/ada\.adler@example\.com/);
    expect((await content('sample')).message?.length).toBeGreaterThanOrEqual(100);
  });

  it('tells how it is', async () => {
    const printed = await follow(next('Monitoring'));
    expect(printed).toContain('"status":"ready"');
    expect(printed).toMatch(
      /^parley_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/messages",status="2xx"\} 1$/m,
    );
    expect(printed).toMatch(/^All \d+ invariants hold\.$/m);
    for (const figure of figuresOfTable()) expect(printed).toContain(`# TYPE ${figure} `);
  });

  it('says who did what', async () => {
    const printed = await follow(next('Audit log'));
    expect(printed).toMatch(/the operator +user\.created/);
    expect(printed).toContain('"entries"');
  });

  it('backs up while it runs', async () => {
    expect(await follow(next('Back up and restore'))).toContain('holds everything');
    expect(existsSync(inFolder('backups/monday/secret'))).toBe(false);
    expect(statSync(inFolder('backups/monday')).mode & 0o777).toBe(0o700);
  });

  it('restores that into an empty folder, with the same people, messages and keys', async () => {
    const printed = await follow(next('Back up and restore'), 'restored');
    expect(printed).toMatch(/^All \d+ invariants hold\.$/m);
    expect(printed).toContain('grace@example.com');
    server.signal('SIGTERM');
    await server.exitCode();
    const [was, is] = [await content('data'), await content('restored')];
    for (const table of ['account', 'message', 'channel', 'user_group', 'subscription']) {
      expect([table, is[table]]).toEqual([table, was[table]]);
    }
    expect(is.message?.some((row) => row.includes('The build is green.'))).toBe(true);
    server = new ServerProcess([inFolder('dist/main.js')], {
      env: { ...env, ...databaseEnv('restored'), DATA_DIR: inFolder('restored') },
      folder,
    });
    await server.ready();
    const me = await follow('curl -sS -u "$BOT" "$SITE/api/v1/users/me"');
    expect(JSON.parse(me)).toMatchObject({ result: 'success', full_name: 'Build Bot', is_bot: true });
  });

  it('has a restored server send nothing until it may', async () => {
    const printed = await follow(next('Back up and restore'), 'restored');
    expect(printed).toContain('Nothing leaves this machine, because it was restored from a backup.');
    expect(printed).toContain('Nothing is held back any more.');
  });

  it('backs up every day, and keeps two weeks', async () => {
    execFileSync('touch', ['-d', '20 days ago', inFolder('backups/monday')]);
    expect(JSON.parse(await follow(next('Back up and restore')))).toMatchObject({ hasSecret: false });
    expect(existsSync(inFolder('backups/monday'))).toBe(false);
  });

  it('changes the secret, and leaves a zuliprc and a copy of the secret that are right', async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    const before = readFileSync(inFolder('data/zuliprc'), 'utf8');
    await follow(next('Secrets'));
    const secret = readFileSync(inFolder('data/secret'), 'utf8');
    expect(readFileSync(inFolder('../parley-secret'), 'utf8')).toBe(secret);
    expect(readFileSync(inFolder('data/secret.previous'), 'utf8')).not.toBe(secret);

    const start = async () => {
      server = new ServerProcess([inFolder('dist/main.js')], {
        env: { ...env, ...databaseEnv('data') },
        folder,
      });
      await server.ready();
      const [whole, email, key] =
        /^email=(.*)\nkey=(.*)$/m.exec(readFileSync(inFolder('data/zuliprc'), 'utf8')) ?? [];
      expect(before).not.toContain(whole);
      return follow(
        `curl -sS -u "${email}:${key}" "$SITE/api/v1/users/me"; curl -sS -u "$BOT" "$SITE/api/v1/users/me"`,
      );
    };
    const both = (await start()).trim().split('\n');
    expect(both.map((answer) => JSON.parse(answer))).toMatchObject([{ is_owner: true }, { is_bot: true }]);
    server.signal('SIGTERM');
    await server.exitCode();
    await follow(next('Secrets'));
    const later = (await start()).trim().split('\n');
    expect(later.map((answer) => JSON.parse(answer))).toMatchObject([
      { is_owner: true },
      { code: 'UNAUTHORIZED' },
    ]);
  });

  it('exports the organization while the server runs', async () => {
    await follow(next('Export'));
    const listed = execFileSync('tar', ['-tzf', inFolder('organization.tar.gz')], { encoding: 'utf8' });
    expect(listed).toMatch(/\/realm\.json\n/);
    expect(listed).toMatch(/\/messages-000001\.json\n/);
    await follow(next('Export'));
    const ofAda = execFileSync('tar', ['-tzf', inFolder('ada.tar.gz')], { encoding: 'utf8' });
    expect(ofAda).toMatch(/\/user\.json\n/);
    expect(ofAda).toMatch(/\/index\.html\n/);
  });

  it('has no command that was not run', () => {
    expect(left).toEqual([]);
  });
});

/** Names of figures that the document tells operators to look at. */
function figuresOfTable(): string[] {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  return [...text.matchAll(/^\| (`[a-z_]+`.*?) \|/gm)]
    .flatMap(([, cell]) =>
      [...(cell as string).matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name as string),
    )
    .filter((name) => /^(parley|process|nodejs)_/.test(name) && name !== 'parley_redis_up');
}
