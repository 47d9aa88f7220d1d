import { BucketServer } from '../support/bucket-server';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { picturesDone, plainPicture } from '../support/picture-setup';
import { OffsetClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, post, storedFiles, upload } from '../support/upload-setup';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { beginQuarantine } from '../../src/platform/jobs/job';

const clock = new OffsetClock();
let bucket: BucketServer;
let app: TestApp;

beforeAll(async () => {
  bucket = await BucketServer.start();
  app = await TestApp.start({ clock, env: { FILES_URL: bucket.url('team') } });
});

beforeEach(() => {
  bucket.fault = 'none';
});

afterAll(async () => {
  await app.stop();
  await bucket.stop();
});

const mia = () => app.cast.mia;
const kept = (folder: string) =>
  [...bucket.objects.keys()].filter((key) => key.startsWith(`team/${folder}/`));
const UNAVAILABLE = 'Files are temporarily unavailable. Try again in a moment.';

describe('With FILES_URL, files in the bucket', () => {
  it('are sent, read in parts and deleted, and none is in the data folder', async () => {
    const content = Buffer.from('abcdefghij'.repeat(20_000));
    const url = await upload(app, mia(), { name: 'digits.txt', content });
    expect(kept('uploads')).toHaveLength(1);
    expect(storedFiles(app)).toEqual([]);
    const whole = await load(app, mia(), url);
    expect({ status: whole.status, isSame: content.equals(whole.body as Buffer) }).toEqual({
      status: 200,
      isSame: true,
    });
    await expect(load(app, mia(), url, { range: 'bytes=100003-100005' })).resolves.toMatchObject({
      status: 206,
      body: Buffer.from('def'),
      headers: { 'content-range': 'bytes 100003-100005/200000', 'content-length': '3' },
    });
    const [{ id }] = await attachmentsOf(app, mia());
    expectSuccess(await app.as(mia()).delete(`/attachments/${id}`));
    expect(kept('uploads')).toEqual([]);
  });

  it('have smaller versions, and people pictures', async () => {
    const content = await plainPicture(2_000, 1_000).png().toBuffer();
    const url = await upload(app, mia(), { name: 'sea.png', content });
    await picturesDone(app);
    const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
    await expect(load(app, mia(), thumbnail)).resolves.toMatchObject({ status: 200 });
    expect(kept('thumbnails')).not.toEqual([]);
    const answer = await app.as(mia()).upload('/users/me/avatar', { name: 'mia.png', content });
    await expect(load(app, mia(), expectSuccess(answer).avatar_url)).resolves.toMatchObject({ status: 200 });
    expect(kept('avatars')).toHaveLength(2);
  });
});

describe('While the bucket is away', () => {
  it('files alone are refused, and messages go on', async () => {
    const channelId = await createChannel(app, mia(), 'harbor');
    const url = await upload(app, mia(), { content: 'before' });
    bucket.fault = 'unavailable';
    await expect(load(app, mia(), url)).resolves.toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    const refused = await app.as(mia()).upload('/user_uploads', { name: 'a.txt', content: 'lost' });
    expectError(refused, UNAVAILABLE, { code: 'FILES_UNAVAILABLE', status: 503 });
    await post(app, mia(), channelId, `Still here: [file](${url})`);
    await expect(load(app, null, '/health/ready')).resolves.toMatchObject({ status: 200 });
    bucket.fault = 'none';
    await expect(load(app, mia(), url)).resolves.toMatchObject({ status: 200, body: Buffer.from('before') });
    const names = (await attachmentsOf(app, mia())).map(({ name }: { name: string }) => name);
    expect(names).not.toContain('a.txt');
  });

  it('deletions are made up for', async () => {
    await upload(app, mia(), { name: 'later.txt' });
    const before = kept('uploads').length;
    const [{ id }] = (await attachmentsOf(app, mia())).filter(
      ({ name }: { name: string }) => name === 'later.txt',
    );
    bucket.fault = 'unavailable';
    expectSuccess(await app.as(mia()).delete(`/attachments/${id}`));
    await app.get(Jobs).runDue();
    bucket.fault = 'none';
    expect(kept('uploads')).toHaveLength(before);
    clock.aheadMs += 120_000;
    await app.get(Jobs).runDue();
    expect(kept('uploads')).toHaveLength(before - 1);
  });

  it.each(['truncated', 'altered'] as const)('a file that comes %s is refused', async (fault) => {
    const url = await upload(app, mia(), { content: 'What was really sent' });
    bucket.fault = fault;
    await expect(load(app, mia(), url)).resolves.toMatchObject({ status: 503 });
  });
});

it('A restored copy deletes nothing from a bucket that may be the original server’s', async () => {
  const copy = await TestApp.start({ env: { FILES_URL: bucket.url('team') } });
  try {
    await copy.get(TransactionService).run((tx) => beginQuarantine(tx, 'it was restored from a backup'));
    await copy.get(Jobs).onApplicationBootstrap();
    await upload(copy, copy.cast.mia, { name: 'shared.txt' });
    const before = kept('uploads').length;
    const [{ id }] = await attachmentsOf(copy, copy.cast.mia);
    expectSuccess(await copy.as(copy.cast.mia).delete(`/attachments/${id}`));
    await copy.get(Jobs).runDue();
    expect(kept('uploads')).toHaveLength(before);
    copy.get(Jobs).endQuarantine();
    await copy.get(Jobs).runDue();
    expect(kept('uploads')).toHaveLength(before - 1);
  } finally {
    await copy.stop();
  }
});

it.each([
  'https://key:secret@localhost/bucket',
  's3://localhost/bucket',
  's3://key@localhost/bucket',
  's3://key:secret@localhost',
  's3://key:secret@localhost/Bucket_Of',
  's3://key:secret@localhost/bucket?region=eu&acl=public',
])('The server does not start with FILES_URL=%s, and does not repeat it', async (FILES_URL) => {
  await expect(TestApp.start({ env: { FILES_URL } })).rejects.toThrow(
    /^FILES_URL has a value that is not allowed: it must be an address such as "s3:/,
  );
});
