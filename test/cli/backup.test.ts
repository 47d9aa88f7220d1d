import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { HttpClient } from '../support/http-client';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const SECRET_KEY = 'a secret for tests that is long enough to be one';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('backups', () => {
  let folder: string;
  let databases: TestDatabase[];
  let env: Record<string, string>;
  let restoredEnv: Record<string, string>;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
    databases = [await createTestDatabase(), await createTestDatabase()];
    const [origin, target] = databases.map((database) => ({ LOG_LEVEL: 'warn', ...database.env }));
    env = { ...origin, DATA_DIR: join(folder, 'data'), RATE_LIMIT_PER_MINUTE: '0' };
    restoredEnv = { ...target, DATA_DIR: join(folder, 'restored') };
  });

  afterAll(async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(of: Record<string, string>): Promise<URL> {
    server = new ServerProcess([new CommandLine(of).program, 'serve'], { env: of });
    return server.ready();
  }

  async function stop(): Promise<void> {
    server?.signal('SIGTERM');
    await server?.exitCode();
  }

  function owner(site: URL): HttpClient {
    const text = readFileSync(join(env.DATA_DIR as string, 'zuliprc'), 'utf8');
    const [, email = '', apiKey = ''] = /email=(\S+)\nkey=(\w+)/.exec(text) ?? [];
    return new HttpClient(site.origin, { email, apiKey }, {});
  }

  async function upload(site: URL): Promise<string> {
    const text = readFileSync(join(env.DATA_DIR as string, 'zuliprc'), 'utf8');
    const [, email = '', apiKey = ''] = /email=(\S+)\nkey=(\w+)/.exec(text) ?? [];
    const body = new FormData();
    body.append('file', new Blob(['What was uploaded']), 'note.txt');
    const answer = await fetch(new URL('/api/v1/user_uploads', site), {
      method: 'POST',
      body,
      headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
    });
    return ((await answer.json()) as { url: string }).url;
  }

  const contents = async (client: HttpClient): Promise<string[]> => {
    const values = { anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false };
    const { body } = await client.call('GET', '/api/v1/messages', values);
    return body.messages.map((message: { content: string }) => message.content);
  };

  it('are consistent though everybody writes, and restored they are what was there', async () => {
    const site = await serve(env);
    const client = owner(site);
    const url = await upload(site);
    const send = (content: string) =>
      client.call('POST', '/api/v1/messages', { type: 'channel', to: 'general', topic: 'busy', content });
    await send(`Before: [note](${url})`);
    let isOver = false;
    const write = async (writer: number): Promise<string[]> => {
      const written: string[] = [];
      while (!isOver) {
        const content = `Writer ${writer}: ${written.length}`;
        await send(content);
        written.push(content);
      }
      return written;
    };
    const writers = [1, 2, 3].map(write);
    const made = await new CommandLine(env).json(['backup', join(folder, 'backup')]);
    isOver = true;
    await Promise.all(writers);
    await stop();
    expect(made).toEqual({
      folder: join(folder, 'backup'),
      files: 2,
      bytes: expect.any(Number),
      hasSecret: false,
    });
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    expect(statSync(made.folder).mode & 0o777).toBe(0o700);

    const restoring = new CommandLine(restoredEnv);
    const secretFile = join(env.DATA_DIR as string, 'secret');
    const restored = await restoring.json(['restore', made.folder, '--secret-file', secretFile]);
    expect(restored).toMatchObject({ dataDir: restoredEnv.DATA_DIR, files: 2 });
    const was = await new CommandLine(env).json(['audit', '--action', 'server']);
    expect(was.entries.at(-1)).toMatchObject({
      action: 'server.backup_made',
      way: 'command',
      actor_id: null,
    });
    const is = await restoring.json(['audit', '--action', 'server']);
    expect(is.entries.at(-1)).toMatchObject({ action: 'server.restored', way: 'command', actor_id: null });
    const { invariants } = await restoring.json(['check']);
    expect(invariants.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);

    const copy = await serve(restoredEnv);
    const found = await contents(owner(copy));
    const held = 'Nothing is sent to other machines, because it was restored from a backup.';
    const readiness = async () => (await fetch(new URL('/health/ready', copy))).json();
    await expect(readiness()).resolves.toMatchObject({ status: 'ready', warnings: [held] });
    await expect(restoring.json(['quarantine', 'status'])).resolves.toEqual({
      reason: 'it was restored from a backup',
      held: 0,
    });
    await expect(restoring.json(['quarantine', 'lift'])).resolves.toEqual({ sent: 0, dropped: 0 });
    await expect(readiness()).resolves.not.toHaveProperty('warnings');
    await expect(restoring.run(['quarantine', 'lift'])).resolves.toMatchObject({
      exitCode: 1,
      errors: 'This server holds nothing back.\n',
    });
    await stop();
    // The original goes on.
    await expect(new CommandLine(env).json(['quarantine', 'status'])).resolves.toEqual({
      reason: null,
      held: 0,
    });
    expect(found).toContain(`Before: [note](${url})`);
    // Of each writer, everything up to some moment.
    for (const writer of [1, 2, 3]) {
      const own = found.filter((content) => content.startsWith(`Writer ${writer}: `));
      expect(own).toEqual(own.map((_, at) => `Writer ${writer}: ${at}`));
    }
  });

  it('replace nothing, and nothing is restored over what is there', async () => {
    const backup = join(folder, 'backup');
    const parley = new CommandLine(env);
    const cases: [CommandLine, string[], RegExp][] = [
      [parley, ['backup', backup], /already exists, and a backup never overwrites data/],
      [parley, ['backup', join(folder, 'missing/backup')], /^The parent folder .*missing/],
      [
        parley,
        ['backup', '/proc/backup'],
        /^The server cannot create a folder in \/proc \(ENOENT\)[^\n]+\n$/,
      ],
      [parley, ['restore', backup], /is not empty, and a restore never overwrites data/],
      [parley, ['restore', folder, '--data-dir', join(folder, 'other')], /is not a backup/],
      [
        new CommandLine({ ...env, DATABASE_URL: '' }),
        ['restore', backup, '--data-dir', join(folder, 'other')],
        /./,
      ],
    ];
    for (const [commands, args, message] of cases) {
      const { exitCode, errors } = await commands.run(args);
      expect([args, exitCode, errors]).toEqual([args, 1, expect.stringMatching(message)]);
    }
    expect(readdirSync(folder)).not.toContain('other');
  });

  it('need their secret, and are refused when damaged or of a newer release', async () => {
    const parley = new CommandLine({ ...env, DATA_DIR: join(folder, 'late') });
    const early = new CommandLine(env);
    const owner = 'owner@parley.localhost';
    for (const name of ['former', 'deploys'])
      await early.json(['key', 'add', owner, name, '--scopes', 'read']);
    await early.json(['key', 'revoke', owner, '1']);
    await early.json(['scim', 'add', 'entra']);
    const { hasSecret } = await early.json(['backup', join(folder, 'whole'), '--with-secret']);
    expect(hasSecret).toBe(true);
    await early.json(['key', 'revoke', owner, '2']);
    expect(readFileSync(join(folder, 'whole/secret'), 'utf8')).toBe(
      readFileSync(join(env.DATA_DIR as string, 'secret'), 'utf8'),
    );
    const [engine] = databases.map((database) => database.engine);
    const fresh = await createTestDatabase();
    const target = { ...env, ...fresh.env, DATA_DIR: join(folder, 'late') };
    try {
      const restoring = new CommandLine(target);
      const without = await restoring.run(['restore', join(folder, 'backup')]);
      expect(without).toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(/--secret-file or SECRET_KEY/),
      });
      const nowhere = await restoring.run(['restore', join(folder, 'backup'), '--secret-file', folder]);
      expect(nowhere).toMatchObject({
        exitCode: 1,
        errors: `Cannot read the secret in ${folder} (EISDIR).\n`,
      });
      const other = await new CommandLine({ ...target, SECRET_KEY }).run(['restore', join(folder, 'whole')]);
      expect(other).toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(/SECRET_KEY is not the secret/),
      });

      const manifest = join(folder, 'whole/manifest.json');
      const text = readFileSync(manifest, 'utf8');
      writeFileSync(manifest, text.replace('Platform17', 'Later99'));
      const newer = await restoring.run(['restore', join(folder, 'whole')]);
      expect(newer).toMatchObject({ exitCode: 1, errors: expect.stringMatching(/newer release/) });
      writeFileSync(manifest, text);

      const data = join(folder, 'whole', engine === 'postgres' ? 'database.dump' : 'parley.db');
      const bytes = readFileSync(data);
      const broken = Buffer.from(bytes);
      broken.writeUInt8(broken.readUInt8(5000) ^ 1, 5000);
      writeFileSync(data, broken);
      const damaged = await restoring.run(['restore', join(folder, 'whole')]);
      expect(damaged).toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(/^The backup is damaged: /),
      });
      expect(readdirSync(join(folder, 'late'))).toEqual([]);
      writeFileSync(data, bytes);
      const { exitCode, output } = await restoring.run(['restore', join(folder, 'whole')]);
      const listed = [`  parley key revoke ${owner} 2   (deploys)`, '  parley scim revoke 1   (entra)', ''];
      expect([exitCode, output.split('\n').slice(-3)]).toEqual([0, listed]);
      const { keys } = await restoring.json(['key', 'list', owner]);
      expect(keys).toEqual([expect.objectContaining({ id: 2, name: 'deploys' })]);
    } finally {
      await fresh.drop();
    }
    expect(parley.program).toBe(early.program);
  });
});
