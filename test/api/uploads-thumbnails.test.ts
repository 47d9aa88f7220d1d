import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { picturesDone, holdPictures, movingPicture, plainPicture } from '../support/picture-setup';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, post, storedFiles, upload } from '../support/upload-setup';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

afterEach(() => jest.restoreAllMocks());

const mia = () => app.cast.mia;
const thumbnail = (url: string, name = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`;
const fileNotFound = { status: 404, body: { detail: 'File not found.' } };
const spaceUsed = async () =>
  expectSuccess(await app.as(mia()).get('/attachments')).upload_space_used as number;

/** Uploads a picture, and waits until it is settled. */
async function settled(name: string, content: Buffer): Promise<string> {
  const url = await upload(app, mia(), { name, content });
  await picturesDone(app);
  return url;
}

/** What a smaller version is like. */
async function versionOf(url: string, name?: string) {
  const { status, headers, body } = await load(app, mia(), thumbnail(url, name));
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/webp' });
  const { format, width, height, pages = 1, orientation } = await sharp(body).metadata();
  return { format, width, height, pages, orientation };
}

it('Clients are told which versions there are', async () => {
  const state = expectSuccess(
    await app.as(mia()).post('/register', { fetch_event_types: ['realm'], event_types: [] }),
  );
  const size = { max_width: 840, max_height: 560, format: 'webp' };
  expect(state.server_thumbnail_formats).toEqual([
    { ...size, name: '840x560-anim.webp', animated: true },
    { ...size, name: '840x560.webp', animated: false },
  ]);
});

it('A drawing that pretends to be a picture is no picture, and keeps nobody waiting', async () => {
  const text = `<text font-size="9">${'a'.repeat(40)}</text>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${text.repeat(100_000)}</svg>`;
  const url = await settled('drawing.png', Buffer.from(drawing));
  await expect(load(app, mia(), thumbnail(url))).resolves.toMatchObject(fileNotFound);
});

/** A small file that decodes to ten thousand million pixels. */
async function enormous(): Promise<Buffer> {
  const file = await plainPicture(9, 9).png().toBuffer();
  const header = file.subarray(12, 29);
  header.writeUInt32BE(100_000, 4);
  header.writeUInt32BE(100_000, 8);
  file.writeUInt32BE(crc32(header), 29);
  return file;
}

describe('The smaller version of a picture', () => {
  it.each([
    ['png', plainPicture(2000, 1000).png(), 840, 420],
    ['jpg', plainPicture(1000, 2000).jpeg(), 280, 560],
    ['webp', plainPicture(840, 560).webp(), 840, 560],
    ['avif', plainPicture(1000, 1000).avif({ effort: 0 }), 560, 560],
    ['gif', plainPicture(40, 30).gif(), 40, 30],
    ['tiff', plainPicture(4000, 1).tiff(), 840, 1],
  ])('of a %s fits, keeps its shape and is never larger', async (extension, picture, width, height) => {
    const url = await settled(`a.${extension}`, await picture.toBuffer());
    await expect(versionOf(url)).resolves.toMatchObject({ format: 'webp', width, height, pages: 1 });
  });

  it('is upright and holds nothing but the picture', async () => {
    const picture = plainPicture(600, 300)
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Artist: 'Mia' } });
    const url = await settled('a.jpg', await picture.jpeg().toBuffer());
    const { body } = await load(app, mia(), thumbnail(url));
    const { exif, orientation, width, height } = await sharp(body).metadata();
    expect({ exif, orientation, width, height }).toEqual({
      exif: undefined,
      orientation: undefined,
      width: 280,
      height: 560,
    });
  });

  it('moves where the picture does, and there is a still one of it', async () => {
    const url = await settled('a.gif', await movingPicture(4, 1000, 500));
    await expect(versionOf(url, '840x560-anim.webp')).resolves.toMatchObject({ width: 840, pages: 4 });
    await expect(versionOf(url)).resolves.toMatchObject({ width: 840, height: 420, pages: 1 });
  });

  it('is there in a large size where browsers do not show the file', async () => {
    const url = await settled(
      'a.tif',
      await plainPicture(5000, 3000).tiff({ compression: 'lzw' }).toBuffer(),
    );
    await expect(versionOf(url, '4032x2419.webp')).resolves.toMatchObject({ width: 4032, height: 2419 });
    await expect(versionOf(url, '3000x3000.webp')).resolves.toMatchObject({ width: 4032 });
    await expect(versionOf(url, '300x200.webp')).resolves.toMatchObject({ width: 840 });
  });

  it('is the nearest, where there is none of the name', async () => {
    const still = await settled('a.png', await plainPicture(100, 50).png().toBuffer());
    for (const name of ['840x560-anim.webp', '100x100.png', '4000x3000.jpg']) {
      await expect(versionOf(still, name)).resolves.toMatchObject({ width: 100, pages: 1 });
    }
    const moving = await settled('a.gif', await movingPicture(3, 20, 20));
    await expect(versionOf(moving, '20x20-anim.gif')).resolves.toMatchObject({ pages: 3 });
  });

  it('is made for who asks before its turn has come', async () => {
    const release = holdPictures(app);
    const url = await upload(app, mia(), {
      name: 'a.png',
      content: await plainPicture(9, 9).png().toBuffer(),
    });
    const status = async () =>
      expectSuccess(await app.as(mia()).get(url.replace('/user_uploads/', '/thumbnail/status/')))
        .has_thumbnail;
    expect(await status()).toBe(false);
    const [answer] = await Promise.all([load(app, mia(), thumbnail(url)), release()]);
    expect(answer.status).toBe(200);
    expect(await status()).toBe(true);
  });

  it('is sent in parts, and not at all to those who have it', async () => {
    const url = await settled('a.png', await plainPicture(100, 50).png().toBuffer());
    const whole = await load(app, mia(), thumbnail(url));
    const part = await load(app, mia(), thumbnail(url), { range: 'bytes=0-3' });
    expect({ status: part.status, content: part.body.toString() }).toEqual({ status: 206, content: 'RIFF' });
    const known = await load(app, mia(), thumbnail(url), { 'if-none-match': String(whole.headers.etag) });
    expect(known.status).toBe(304);
  });

  it.each([
    ['of a file that is none', 'a.txt', () => Buffer.from('a'), '840x560.webp'],
    ['of a file that only says it is a picture', 'a.png', () => Buffer.from('a'), '840x560.webp'],
    ['of a drawing', 'a.svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '840x560.webp'],
    [
      'of half a picture',
      'a.png',
      async () => (await plainPicture(50, 50).png().toBuffer()).subarray(0, 60),
      '840x560.webp',
    ],
    ['of a picture that says it is enormous', 'a.png', enormous, '840x560.webp'],
    ['of a name that is none', 'a.png', () => plainPicture(9, 9).png().toBuffer(), 'small.webp'],
  ])('is not to be had %s', async (_what, name, content, format) => {
    const url = await settled(name, await content());
    expect(await load(app, mia(), thumbnail(url, format))).toMatchObject(fileNotFound);
    expect((await load(app, mia(), url)).status).toBe(200);
  });
});

describe('Whoever may read a picture', () => {
  it('may read its smaller versions, and nobody else', async () => {
    const { max, mona, gus } = app.cast;
    const url = await settled('a.png', await plainPicture(50, 50).png().toBuffer());
    const status = async (who: typeof max | null) => (await load(app, who, thumbnail(url))).status;
    const asked = url.replace('/user_uploads/', '/thumbnail/status/');
    expect([await status(max), await status(null)]).toEqual([403, 403]);
    expect((await app.as(max).get(asked)).status).toBe(403);
    await post(
      app,
      mia(),
      await createChannel(app, mia(), 'pictures', { principals: [max.id, mia().id] }),
      `[a](${url})`,
    );
    expect([await status(max), await status(mona), await status(gus)]).toEqual([200, 200, 403]);
    expect((await app.as(gus).get(asked)).status).toBe(403);
    expect((await app.as(max).get(asked)).status).toBe(200);
  });

  it('gets nothing of what is not there', async () => {
    const unknown = `/user_uploads/1/00/${'A'.repeat(24)}/file.png`;
    expect(await load(app, mia(), thumbnail(unknown))).toMatchObject(fileNotFound);
    expectError(
      await app.as(mia()).get(unknown.replace('/user_uploads/', '/thumbnail/status/')),
      'File not found.',
      {
        status: 404,
        code: 'NOT_FOUND',
      },
    );
    expect(await load(app, mia(), thumbnail('/user_uploads/2/00/a/b.png'))).toMatchObject(fileNotFound);
  });
});

describe('The space that smaller versions take', () => {
  it('counts as the owner’s, who is told, and is free again when the file goes', async () => {
    const before = await spaceUsed();
    const content = await plainPicture(800, 400).png().toBuffer();
    const files = storedFiles(app, 'thumbnails').length;
    let url = '';
    const events = await app.captureEvents(async () => {
      url = await settled('a.png', content);
    });
    const size = (await load(app, mia(), thumbnail(url))).body.length;
    const [record] = (await attachmentsOf(app, mia())).slice(-1);
    expect(record.size).toBe(content.length);
    expect(events.map(({ event, audience }) => ({ event, audience }))).toEqual([
      {
        event: {
          type: 'attachment',
          op: 'add',
          attachment: record,
          upload_space_used: before + content.length,
        },
        audience: [mia().id],
      },
      {
        event: {
          type: 'attachment',
          op: 'update',
          attachment: record,
          upload_space_used: before + content.length + size,
        },
        audience: [mia().id],
      },
    ]);
    expect(storedFiles(app, 'thumbnails')).toHaveLength(files + 1);
    expectSuccess(await app.as(mia()).delete(`/attachments/${record.id}`));
    await expect(spaceUsed()).resolves.toBe(before);
    expect(storedFiles(app, 'thumbnails')).toHaveLength(files);
    expect(await load(app, mia(), thumbnail(url))).toMatchObject(fileNotFound);
  });

  it('is not taken for a file that goes while they are made', async () => {
    const before = { space: await spaceUsed(), files: storedFiles(app, 'thumbnails') };
    const release = holdPictures(app);
    const url = await upload(app, mia(), {
      name: 'a.png',
      content: await plainPicture(9, 9).png().toBuffer(),
    });
    const [{ id }] = (await attachmentsOf(app, mia())).slice(-1);
    expectSuccess(await app.as(mia()).delete(`/attachments/${id}`));
    await release();
    expect({ space: await spaceUsed(), files: storedFiles(app, 'thumbnails') }).toEqual(before);
    expect(await load(app, mia(), thumbnail(url))).toMatchObject(fileNotFound);
  });
});
