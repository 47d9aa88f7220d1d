import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder';
import { StartRefused } from './start-refused';

describe('makeDataFolder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-folder-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('creates missing folders for their owner only, and keeps existing ones', () => {
    const dataDir = join(folder, 'a', 'b');
    makeDataFolder({ dataDir });
    makeDataFolder({ dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a file', 'file'],
    ['a place below a file', 'file/below'],
  ])('refuses %s', (_, path) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeDataFolder({ dataDir: join(folder, path) })).toThrow(StartRefused);
  });

  it('refuses a parent in which it cannot create folders', () => {
    expect(() => makeDataFolder({ dataDir: '/proc/parley/data' })).toThrow(StartRefused);
  });
});
