import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { freePort } from '../support/free-port';
import { MailServer } from '../support/mail-server';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

interface Finding {
  readonly state: string;
  readonly about: string;
  readonly finding: string;
  readonly advice?: string;
}

describe('parley doctor', () => {
  let folder: string;
  let databases: TestDatabase[];
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
    databases = [await createTestDatabase(), await createTestDatabase()];
    const PORT = await freePort();
    env = { LOG_LEVEL: 'warn', ...databases[0]!.env, DATA_DIR: join(folder, 'data'), PORT };
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function findingsIn(more: Record<string, string> = {}): Promise<Record<string, Finding>> {
    const { findings } = await new CommandLine({ ...env, ...more }).json(['doctor']);
    return Object.fromEntries((findings as Finding[]).map((each) => [each.about, each]));
  }

  it('finds nothing wrong with a server that was never started, and creates nothing', async () => {
    const { exitCode, output } = await new CommandLine(env).run(['doctor']);
    expect([exitCode, output]).toEqual([
      0,
      expect.stringMatching(/^note +database: There is none yet\.\n +The first start creates it\.$/m),
    ]);
    await expect(findingsIn()).resolves.toMatchObject({
      'data folder': { state: 'note' },
      secret: { state: 'note' },
      backup: { state: 'note' },
    });
  });

  it('names each wrong setting', async () => {
    const { exitCode, output } = await new CommandLine({ ...env, PORT: 'x', LOG_LEVEL: 'loud' }).run([
      'doctor',
    ]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^problem +settings: PORT is "x", but it must be a whole number/m);
    expect(output).toMatch(/^problem +settings: LOG_LEVEL is "loud"/m);
  });

  it('says what clients would notice of the address and of the proxy', async () => {
    await expect(findingsIn({ EXTERNAL_URL: 'http://chat.example.com' })).resolves.toMatchObject({
      certificate: { state: 'problem', advice: expect.stringContaining('https://') },
    });
    await expect(findingsIn({ EXTERNAL_URL: 'https://127.0.0.1:1' })).resolves.toMatchObject({
      proxy: { state: 'problem', advice: expect.stringContaining('TRUSTED_PROXIES') },
      certificate: { state: 'problem', finding: expect.stringContaining('ECONNREFUSED') },
    });
    await expect(
      findingsIn({ EXTERNAL_URL: 'https://127.0.0.1:1', TRUSTED_PROXIES: '127.0.0.1' }),
    ).resolves.toMatchObject({ proxy: { state: 'ok' } });
  });

  it('names files of secrets that all users can read', async () => {
    const METRICS_TOKEN_FILE = join(folder, 'token');
    writeFileSync(METRICS_TOKEN_FILE, 'Kf8zX2mQ7vT1pL9wR4nB6yH3sD5gJ0cA\n');
    chmodSync(METRICS_TOKEN_FILE, 0o644);
    await expect(findingsIn({ METRICS_TOKEN_FILE })).resolves.toMatchObject({
      'secret files': {
        state: 'note',
        finding: expect.stringContaining(`METRICS_TOKEN_FILE (${METRICS_TOKEN_FILE})`),
      },
    });
    chmodSync(METRICS_TOKEN_FILE, 0o600);
    await expect(findingsIn({ METRICS_TOKEN_FILE })).resolves.toMatchObject({
      'secret files': { state: 'ok' },
    });
  });

  it('says once, with advice, that the database cannot be opened', async () => {
    const DATABASE_URL = `postgresql://parley@127.0.0.1:${await freePort()}/parley`;
    const findings = await findingsIn({ DATABASE_URL });
    expect(findings).toMatchObject({
      database: { state: 'problem', advice: expect.stringContaining('correct DATABASE_URL') },
      clock: { state: 'note' },
      backup: { state: 'note' },
      quarantine: { state: 'note' },
    });
    expect(Object.values(findings).filter(({ state }) => state === 'problem')).toHaveLength(1);
  });

  it('names the file that holds the secret', async () => {
    const SECRET_KEY_FILE = join(folder, 'key');
    writeFileSync(SECRET_KEY_FILE, `${'Qm4xT9vB2nL7sK1d'.repeat(3)}\n`, { mode: 0o600 });
    await expect(findingsIn({ SECRET_KEY_FILE })).resolves.toMatchObject({
      secret: { state: 'ok', finding: `${SECRET_KEY_FILE} holds it (SECRET_KEY_FILE).` },
    });
  });

  it('compares clocks with the one of several servers that answers', async () => {
    const url = databases[0]!.env.DATABASE_URL;
    const more: Record<string, string> = {};
    // SQLite has no other machine; its clock is always the same.
    if (url) more.DATABASE_URL = url.replace(/(@[^/]+)/, `$1,127.0.0.1:${await freePort()}`);
    await expect(findingsIn(more)).resolves.toMatchObject({ clock: { state: 'ok' } });
  });

  it('tries the mail server, without a mail', async () => {
    await expect(findingsIn({ SMTP_URL: 'smtp://127.0.0.1:1' })).resolves.toMatchObject({
      mail: { state: 'problem', finding: expect.stringContaining('The mail server did not take a mail') },
    });
    const mails = await MailServer.start();
    try {
      await expect(findingsIn({ SMTP_URL: mails.url })).resolves.toMatchObject({ mail: { state: 'ok' } });
      expect(mails.mails).toEqual([]);
    } finally {
      await mails.stop();
    }
  });

  it('looks over a server that runs, and what was restored from its backup', async () => {
    const server = new ServerProcess([new CommandLine(env).program, 'serve'], { env });
    try {
      await server.ready();
      const first = await findingsIn();
      expect(first).toMatchObject({
        database: { state: 'ok' },
        clock: { state: 'ok' },
        server: { state: 'ok' },
        address: { state: 'ok' },
        backup: { state: 'problem', finding: 'None was ever made.' },
        quarantine: { state: 'ok' },
      });
      const nowhere = `http://127.0.0.1:${await freePort()}`;
      await expect(findingsIn({ EXTERNAL_URL: nowhere })).resolves.toMatchObject({
        address: { state: 'problem', finding: expect.stringContaining('ECONNREFUSED') },
      });
      chmodSync(join(folder, 'data/secret'), 0o644);
      await expect(findingsIn()).resolves.toMatchObject({
        secret: { state: 'problem', advice: expect.stringContaining('chmod 600') },
      });
      chmodSync(join(folder, 'data/secret'), 0o600);
      await new CommandLine(env).json(['backup', join(folder, 'backup'), '--with-secret']);
      await expect(findingsIn()).resolves.toMatchObject({ secret: { state: 'ok' }, backup: { state: 'ok' } });
    } finally {
      server.signal('SIGTERM');
      await server.exitCode();
    }
    const copy = { ...databases[1]!.env, DATA_DIR: join(folder, 'copy') };
    await new CommandLine({ ...env, ...copy }).json(['restore', join(folder, 'backup')]);
    await expect(findingsIn(copy)).resolves.toMatchObject({
      server: { state: 'note' },
      quarantine: { state: 'note', advice: expect.stringContaining('parley quarantine lift') },
    });
  });
});
