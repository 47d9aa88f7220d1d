import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BucketServer } from '../support/bucket-server';
import { CommandLine } from '../support/command-line';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(120_000);

describe('parley files copy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
  const file = (path: string) => join(folder, 'files', path);
  let bucket: BucketServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    bucket = await BucketServer.start();
    env = { DATA_DIR: folder, FILES_URL: bucket.url('team') };
    mkdirSync(file('uploads/a'), { recursive: true });
    writeFileSync(file('uploads/a/one.txt'), 'one');
    writeFileSync(file('uploads/a/two.txt'), 'two');
    writeFileSync(file('uploads/a/three.txt.0123.part'), 'unfinished');
  });

  afterAll(async () => {
    await bucket.stop();
    rmSync(folder, { recursive: true });
  });

  it('takes the files of the folder over, and then only what is new', async () => {
    const commands = new CommandLine(env);
    await expect(commands.json(['files', 'copy', 'bucket'])).resolves.toEqual({
      copied: 2,
      kept: 0,
      bytes: 6,
    });
    expect([...bucket.objects].map(([key, content]) => [key, content.toString()]).sort()).toEqual([
      ['team/uploads/a/one.txt', 'one'],
      ['team/uploads/a/two.txt', 'two'],
    ]);
    writeFileSync(file('uploads/a/four.txt'), 'four');
    bucket.objects.set('team/uploads/a/one.txt', Buffer.from('half of one'));
    await expect(commands.run(['files', 'copy', 'bucket'])).resolves.toMatchObject({
      exitCode: 0,
      output: 'Copied 2 files (0.0 MiB); 1 were there already.\n',
    });
    expect(bucket.objects.get('team/uploads/a/one.txt')?.toString()).toBe('one');
  });

  it('brings them back', async () => {
    rmSync(file('uploads'), { recursive: true });
    const copied = await new CommandLine(env).json(['files', 'copy', 'folder']);
    expect(copied).toEqual({ copied: 3, kept: 0, bytes: 10 });
    expect(readFileSync(file('uploads/a/four.txt'), 'utf8')).toBe('four');
  });

  it('says what is missing', async () => {
    await expect(
      new CommandLine({ DATA_DIR: folder }).run(['files', 'copy', 'bucket']),
    ).resolves.toMatchObject({
      exitCode: 1,
      errors: 'Set FILES_URL to the address of the bucket.\n',
    });
    await expect(new CommandLine(env).run(['files', 'copy', 'tape'])).resolves.toMatchObject({ exitCode: 2 });
    const FILES_URL = bucket.url('', 'another secret');
    const { exitCode, errors } = await new CommandLine({ ...env, FILES_URL }).run([
      'files',
      'copy',
      'bucket',
    ]);
    expect({ exitCode, errors }).toEqual({
      exitCode: 1,
      errors: expect.stringContaining('SignatureDoesNotMatch'),
    });
    expect(errors).not.toContain('another');
  });

  it('is what the doctor looks at', async () => {
    const findingOf = async (FILES_URL: string) => {
      const findings = await new CommandLine({ ...env, FILES_URL }).json(['doctor']);
      return findings.findings.find(({ about }: { about: string }) => about === 'files');
    };
    await expect(findingOf(bucket.url())).resolves.toMatchObject({ state: 'ok' });
    await expect(findingOf(bucket.url('', 'another secret'))).resolves.toMatchObject({
      state: 'problem',
      finding: 'The bucket cannot be used: status 403, SignatureDoesNotMatch.',
    });
    expect([...bucket.objects.keys()].filter((key) => key.includes('probe'))).toEqual([]);
  });
});
