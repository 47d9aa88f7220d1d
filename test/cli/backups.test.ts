import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BucketServer } from '../support/bucket-server';
import { CommandLine } from '../support/command-line';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

const SECRET_KEY = 'a secret for tests that is long enough to be one';

/** A real bucket with object lock to try this on as well, as `BACKUP_URL` names it. */
const { TEST_BACKUP_URL } = process.env;

describe.each(['a service for tests', ...(TEST_BACKUP_URL === undefined ? [] : ['a real service'])])(
  'parley backups in %s',
  (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-backups-'));
    const backup = join(folder, 'backup');
    let database: TestDatabase;
    let bucket: BucketServer;
    let env: Record<string, string>;
    let name: string;

    beforeAll(async () => {
      database = await createTestDatabase();
      bucket = await BucketServer.start();
      bucket.locks = new Map();
      env = {
        LOG_LEVEL: 'warn',
        ...database.env,
        DATA_DIR: join(folder, 'data'),
        SECRET_KEY,
        BACKUP_LOCK_DAYS: '1',
        BACKUP_URL: kind === 'a real service' ? (TEST_BACKUP_URL ?? '') : bucket.url('safe'),
      };
      await new CommandLine(env).json(['init']);
      await new CommandLine(env).json(['backup', backup]);
    });

    afterAll(async () => {
      await bucket.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('are sent there, where nobody can delete them for so many days', async () => {
      const sent = await new CommandLine(env).json(['backups', 'send', backup]);
      name = sent.name;
      expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}-\d{3}Z$/);
      expect(Date.parse(sent.heldUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
      expect(sent.files).toBeGreaterThan(0);
      if (kind === 'a real service') return;
      expect([...(bucket.locks?.keys() ?? [])]).toEqual([...bucket.objects.keys()]);
    });

    it('are listed, and not sent twice', async () => {
      const { backups } = await new CommandLine(env).json(['backups', 'list']);
      expect(backups).toContain(name);
      await expect(new CommandLine(env).run(['backups', 'send', backup])).resolves.toMatchObject({
        exitCode: 1,
        errors: `The bucket has ${name} already.\n`,
      });
    });

    it('are fetched as they were, into a new folder', async () => {
      const fetched = join(folder, 'fetched');
      const { BACKUP_URL = '' } = env;
      const elsewhere = new CommandLine({ BACKUP_URL, DATA_DIR: join(folder, 'nothing') });
      await expect(elsewhere.run(['backups', 'fetch', name, fetched])).resolves.toMatchObject({
        exitCode: 0,
        output: expect.stringContaining(`${fetched} holds ${name}: `),
      });
      expect(existsSync(join(folder, 'nothing'))).toBe(false);
      const manifest = (of: string) => readFileSync(join(of, 'manifest.json'), 'utf8');
      expect(manifest(fetched)).toBe(manifest(backup));
      await expect(elsewhere.run(['backups', 'fetch', name, fetched])).resolves.toMatchObject({
        exitCode: 1,
        errors: `${fetched} already exists. Choose a new folder.\n`,
      });
      for (const wrong of ['2026-01-31T120000-000Z', '../safe'])
        await expect(elsewhere.run(['backups', 'fetch', wrong, join(folder, 'none')])).resolves.toMatchObject(
          {
            exitCode: 1,
            errors: `The bucket has no backup ${wrong}. "parley backups list" lists them.\n`,
          },
        );
    });
  },
);

describe('parley backups', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-backups-'));
  const backup = join(folder, 'backup');
  let database: TestDatabase;
  let bucket: BucketServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    env = { LOG_LEVEL: 'warn', ...database.env, DATA_DIR: join(folder, 'data'), SECRET_KEY };
    await new CommandLine(env).json(['init']);
    await new CommandLine(env).json(['backup', backup]);
  });

  beforeEach(async () => {
    bucket = await BucketServer.start();
    env = { ...env, BACKUP_URL: bucket.url() };
  });

  afterEach(() => bucket.stop());

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (more: Record<string, string> = {}) =>
    new CommandLine({ ...env, ...more }).run(['backups', 'send', backup]);

  it('say that a bucket holds nothing', async () => {
    const { exitCode, errors } = await send({ BACKUP_LOCK_DAYS: '1' });
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('InvalidRequest')]);
    await expect(send()).resolves.toMatchObject({
      exitCode: 0,
      output: expect.not.stringContaining('Nobody'),
    });
  });

  it('say what is missing', async () => {
    const none = new CommandLine({ DATA_DIR: folder });
    await expect(none.run(['backups', 'list'])).resolves.toMatchObject({
      exitCode: 1,
      errors: 'Set BACKUP_URL to the address of a bucket.\n',
    });
    await expect(new CommandLine(env).run(['backups', 'list'])).resolves.toMatchObject({
      output: 'There are none.\n',
    });
  });

  it('take none with the secret', async () => {
    const withSecret = join(folder, 'with-secret');
    await new CommandLine(env).json(['backup', withSecret, '--with-secret']);
    await expect(new CommandLine(env).run(['backups', 'send', withSecret])).resolves.toMatchObject({
      exitCode: 1,
      errors: 'Send a backup without the secret: nobody could delete it there.\n',
    });
    expect(bucket.objects.size).toBe(0);
  });

  it('leave nothing of one that is damaged, on either way', async () => {
    await send();
    const [name = ''] = (await new CommandLine(env).json(['backups', 'list'])).backups;
    const database = [...bucket.objects.keys()].find((key) => /parley\.db|dump/.test(key)) ?? '';
    bucket.objects.set(database, Buffer.from('something else'));
    const target = join(folder, 'damaged');
    await expect(new CommandLine(env).run(['backups', 'fetch', name, target])).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^The backup is damaged: \S+ does not match its checksum\./),
    });
    expect(existsSync(target)).toBe(false);
    bucket.objects.clear();
    const file = join(backup, database.split('/').at(-1) ?? '');
    writeFileSync(file, 'something else');
    await expect(send()).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('does not match its checksum'),
    });
    expect(bucket.objects.size).toBe(0);
  });
});
