import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config/config';
import { FileStore } from './file-store';

describe('the file store', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'files-'));
  const store = new FileStore({ dataDir } as Config);
  const read = async (path: string) => {
    const file = await store.open(path);
    return file && { size: file.size, content: await text(file.content) };
  };

  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('keeps files until they are deleted', async () => {
    await store.save('kind/1/a.txt', Buffer.from('hello'));
    await expect(read('kind/1/a.txt')).resolves.toEqual({ size: 5, content: 'hello' });
    await store.delete('kind/1/a.txt');
    await store.delete('kind/1/a.txt');
    await expect(read('kind/1/a.txt')).resolves.toBeNull();
  });

  it('leaves nothing of a file whose writing failed, and the old one in place', async () => {
    await store.save('kind/2/a.txt', Buffer.from('old'));
    const failing = store.write('kind/2/a.txt', (sink) => {
      sink.write('new');
      return Promise.reject(new Error('broke off'));
    });
    await expect(failing).rejects.toThrow('broke off');
    await expect(read('kind/2/a.txt')).resolves.toEqual({ size: 3, content: 'old' });
    expect(readdirSync(join(dataDir, 'files/kind/2'))).toEqual(['a.txt']);
  });

  it('tolerates deletions while listing all files', async () => {
    await store.save('kind/4/gone.txt', Buffer.from('x'));
    await store.save('kind/4/new.txt', Buffer.from('old'));
    const release = store.deferDeletions();
    const releaseToo = store.deferDeletions();
    await store.delete('kind/4/gone.txt');
    await store.delete('kind/4/new.txt');
    await store.save('kind/4/new.txt', Buffer.from('new'));
    await releaseToo();
    expect((await store.paths()).filter((path) => path.startsWith('kind/4/'))).toEqual([
      'kind/4/gone.txt',
      'kind/4/new.txt',
    ]);
    await release();
    await expect(store.sizeOf('kind/4/gone.txt')).resolves.toBeNull();
    await expect(read('kind/4/new.txt')).resolves.toEqual({ size: 3, content: 'new' });
  });

  it('opens no folders, and nothing outside of it', async () => {
    await store.save('kind/3/a.txt', Buffer.from('x'));
    await expect(store.open('kind/3')).resolves.toBeNull();
    await expect(store.open('../secret')).rejects.toThrow('is outside the file store');
    await expect(store.open('')).rejects.toThrow('is outside the file store');
  });
});
