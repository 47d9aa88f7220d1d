import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BucketServer, REAL_BUCKET } from '../support/bucket-server';
import type { Config } from '../../src/platform/config/config';
import { type BucketAddress, bucketAddress } from '../../src/platform/config/server-addresses';
import { FileStorageUnreachable } from '../../src/platform/errors/request.errors';
import { BucketStorage } from '../../src/platform/files/bucket-storage';
import { FileStore } from '../../src/platform/files/file-store';

beforeAll(() => Logger.overrideLogger(false));

describe.each(['a folder', 'a bucket', ...(REAL_BUCKET === null ? [] : ['a bucket of a real service'])])(
  'the file store in %s',
  (kind) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'files-'));
    let bucket: BucketServer;
    let store: FileStore;
    const read = async (path: string, range?: { start: number; end: number }) => {
      const file = await store.open(path, range);
      return file && { size: file.size, content: await text(file.content) };
    };

    beforeAll(async () => {
      bucket = await BucketServer.start();
      bucket.pageSize = 2;
      const urls: Readonly<Record<string, string | null>> = {
        'a folder': null,
        'a bucket': bucket.url('team-a'),
      };
      const filesUrl = kind in urls ? (urls[kind] ?? null) : REAL_BUCKET;
      store = new FileStore({ dataDir, filesUrl } as Config);
      for (const path of await store.paths()) await store.delete(path);
    });

    afterAll(async () => {
      await bucket.stop();
      rmSync(dataDir, { recursive: true });
    });

    it('keeps files until they are deleted', async () => {
      await store.save('kind/1/a.txt', Buffer.from('hello'));
      await expect(read('kind/1/a.txt')).resolves.toEqual({ size: 5, content: 'hello' });
      await expect(read('kind/1/a.txt', { start: 1, end: 3 })).resolves.toEqual({ size: 5, content: 'ell' });
      await expect(store.sizeOf('kind/1/a.txt')).resolves.toBe(5);
      await store.delete('kind/1/a.txt');
      await store.delete('kind/1/a.txt');
      await expect(read('kind/1/a.txt')).resolves.toBeNull();
      await expect(read('kind/1/a.txt', { start: 1, end: 3 })).resolves.toBeNull();
      await expect(store.sizeOf('kind/1/a.txt')).resolves.toBeNull();
    });

    it('leaves nothing of a file whose writing failed, and the old one in place', async () => {
      await store.save('kind/2/a.txt', Buffer.from('old'));
      const failing = store.write('kind/2/a.txt', (sink) => {
        sink.write('new');
        return Promise.reject(new Error('broke off'));
      });
      await expect(failing).rejects.toThrow('broke off');
      await expect(read('kind/2/a.txt')).resolves.toEqual({ size: 3, content: 'old' });
      const folder = join(dataDir, kind === 'a folder' ? 'files/kind/2' : 'drafts');
      expect(readdirSync(folder)).toEqual(kind === 'a folder' ? ['a.txt'] : []);
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

    it('keeps files of any name and of no content', async () => {
      for (const path of ['kind/5/läst 👍 & (1).png', `kind/5/${'ä'.repeat(80)}.txt`]) {
        await store.save(path, Buffer.alloc(0));
        await expect(read(path)).resolves.toEqual({ size: 0, content: '' });
        expect(await store.paths()).toContain(path);
      }
    });

    it('lends files on the disk', async () => {
      await store.save('kind/6/a.txt', Buffer.from('lent'));
      await expect(store.lend('kind/6/a.txt', async (file) => readFileSync(file, 'utf8'))).resolves.toBe(
        'lent',
      );
      await expect(store.lend('kind/6/none.txt', async (file) => existsSync(file))).resolves.toBe(false);
    });

    it('opens no folders, and nothing outside of it', async () => {
      await store.save('kind/3/a.txt', Buffer.from('x'));
      await expect(store.open('kind/3')).resolves.toBeNull();
      for (const path of ['../secret', '', '/etc/passwd', 'kind/../../secret', 'kind//a']) {
        await expect(store.open(path)).rejects.toThrow('is outside the file store');
      }
    });
  },
);

describe('a bucket', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'files-'));
  let bucket: BucketServer;
  const storeAt = (filesUrl: string) => new FileStore({ dataDir, filesUrl } as Config);

  beforeEach(async () => {
    bucket = await BucketServer.start();
  });

  afterEach(() => bucket.stop());

  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('holds the files of several servers apart by prefixes', async () => {
    await storeAt(bucket.url('a')).save('x/1', Buffer.from('of a'));
    await storeAt(bucket.url('b/c')).save('x/2', Buffer.from('of b'));
    expect([...bucket.objects.keys()]).toEqual(['a/x/1', 'b/c/x/2']);
    await expect(storeAt(bucket.url('a')).paths()).resolves.toEqual(['x/1']);
  });

  it.each(['unavailable', 'truncated', 'altered'] as const)(
    'that is %s is told from a missing file',
    async (fault) => {
      const store = storeAt(bucket.url());
      await store.save('a', Buffer.from('content of a file'));
      bucket.fault = fault;
      await expect(store.lend('a', async (file) => readFileSync(file, 'utf8'))).rejects.toThrow(
        FileStorageUnreachable,
      );
      const opened = store.open('a').then(async (file) => file && text(file.content));
      await expect(opened).rejects.toThrow();
      expect(readdirSync(join(dataDir, 'drafts'))).toEqual([]);
    },
  );

  describe('with little patience', () => {
    const content = Buffer.alloc(2_000_000, 'a');
    const opened = async () => {
      const storage = new BucketStorage(
        bucketAddress(bucket.url()) as BucketAddress,
        join(dataDir, 'drafts'),
        0,
        100,
      );
      await storage.write('a', (sink) => pipeline([content], sink));
      return async () => (await storage.open('a'))?.content as Readable;
    };

    it('gives up on a service that stops sending', async () => {
      const open = await opened();
      bucket.fault = 'stalled';
      await expect(open().then(text)).rejects.toThrow(FileStorageUnreachable);
    });

    it('waits for a reader that is slow', async () => {
      const file = await (await opened())();
      await pause(500);
      expect((await text(file)).length).toBe(content.length);
    });
  });

  it('with another secret, or another name, refuses', async () => {
    await expect(storeAt(bucket.url('', 'another')).save('a', Buffer.from('x'))).rejects.toThrow(
      FileStorageUnreachable,
    );
    const other = bucket.url().replace('parley-test', 'parley-other');
    await expect(storeAt(other).open('a')).rejects.toThrow(FileStorageUnreachable);
    await expect(storeAt(other).paths()).rejects.toThrow(FileStorageUnreachable);
    const url = bucket.url();
    await bucket.stop();
    await expect(storeAt(url).open('a')).rejects.toThrow(FileStorageUnreachable);
    bucket = await BucketServer.start();
  });

  it('rids the disk of what a killed process left there', async () => {
    mkdirSync(join(dataDir, 'drafts'), { recursive: true });
    const [old, young] = ['old.part', 'young.part'].map((name) => join(dataDir, 'drafts', name));
    for (const file of [old, young]) writeFileSync(file as string, 'x');
    utimesSync(old as string, 1, 1);
    await storeAt(bucket.url()).save('a', Buffer.from('x'));
    expect(readdirSync(join(dataDir, 'drafts'))).toEqual(['young.part']);
  });
});
