import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formerFile, forgetFormerSecret, rotateSecret, SecretUnavailable } from './secret-file';
import { ServerSecret } from './server-secret';

describe('the server secret', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-secret-'));
  });

  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open = (secretKey: string | null = null, secretKeyPrevious: string | null = null): ServerSecret =>
    ServerSecret.open({ secretKey, secretKeyPrevious, dataDir });

  it('comes from the environment if set there, and then touches no file', () => {
    const secret = open('e'.repeat(32), 'p'.repeat(32));
    expect(secret).toMatchObject({ current: 'e'.repeat(32), previous: 'p'.repeat(32), file: null });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is created once, in a file that only its owner can read', () => {
    const made = open();
    expect(made).toMatchObject({ file: join(dataDir, 'secret'), isNew: true, previous: null });
    expect(made.current).toMatch(/^[\w-]{43}$/);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret']);
    expect(open()).toMatchObject({ current: made.current, isNew: false });
  });

  it('creates a missing data folder', () => {
    const folder = join(dataDir, 'a', 'b');
    const secret = ServerSecret.open({ secretKey: null, secretKeyPrevious: null, dataDir: folder });
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${secret.current}\n`);
  });

  it('closes a file that others could read', () => {
    const { current } = open();
    chmodSync(join(dataDir, 'secret'), 0o644);
    expect(open().current).toBe(current);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  });

  it('is replaced, with the previous one beside it until that is removed', () => {
    const { current: former } = open();
    const file = join(dataDir, 'secret');
    expect(rotateSecret(file)).toBe(true);
    const { current, previous } = open();
    expect(current).toMatch(/^[\w-]{43}$/);
    expect([current === former, previous]).toEqual([false, former]);
    expect(rotateSecret(file)).toBe(false);
    expect(open()).toMatchObject({ current, previous });
    expect(readdirSync(dataDir).sort()).toEqual(['secret', 'secret.previous']);
    expect(statSync(formerFile(file)).mode & 0o777).toBe(0o600);
    forgetFormerSecret(file);
    expect(open()).toMatchObject({ current, previous: null });
  });

  it('is unchanged after an interrupted replacement, and replaced by another attempt', () => {
    const { current: former } = open();
    const file = join(dataDir, 'secret');
    copyFileSync(file, formerFile(file));
    expect(open()).toMatchObject({ current: former, previous: null });
    expect(rotateSecret(file)).toBe(true);
    expect(open()).toMatchObject({ current: expect.not.stringMatching(former), previous: former });
  });

  it('refuses a truncated file', () => {
    writeFileSync(join(dataDir, 'secret'), 'short\n');
    expect(() => open()).toThrow(SecretUnavailable);
    expect(() => open()).toThrow(/shorter than 32 characters. Restore the file/);
  });

  it('says what to do if the file cannot be created', () => {
    writeFileSync(join(dataDir, 'file'), '');
    const inFile = { secretKey: null, secretKeyPrevious: null, dataDir: join(dataDir, 'file', 'folder') };
    expect(() => ServerSecret.open(inFile)).toThrow(/Cannot (write|read) the secret/);
  });

  it('removes only a file created by this start', () => {
    const made = open();
    open().discardIfNew();
    expect(readdirSync(dataDir)).toEqual(['secret']);
    made.discardIfNew();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
