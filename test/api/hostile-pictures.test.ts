import { STRICT } from '../../src/platform/pictures/picture-limits';
import { PictureProcess } from '../../src/platform/pictures/picture-process';
import { Pictures } from '../../src/platform/pictures/pictures';
import type { Answer } from '../support/api-client';
import { largeAvif } from '../support/avif';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { gifOfFrames } from '../support/gif';
import { tiffThatSays, webpThatSays } from '../support/hostile-pictures';
import { hold, memoryWatch, peakMemoryOf, pictureProcesses } from '../support/picture-processes';
import { picturesDone, plainPicture } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { until } from '../support/tus-setup';
import { load, upload } from '../support/upload-setup';

const MIB = 1024 * 1024;

let app: TestApp;
let lastName = 0;

beforeAll(async () => {
  app = await TestApp.start({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
});

afterAll(() => app.stop());

afterEach(() => jest.restoreAllMocks());

const png = () => plainPicture(30, 30).png().toBuffer();
const addEmoji = (author: Member, content: Buffer) =>
  app.as(author).upload(`/realm/emoji/emoji${++lastName}`, { name: 'emoji.gif', content });
const setPicture = (owner: Member, content: Buffer) =>
  app.as(owner).upload('/users/me/avatar', { name: 'me.png', content });
const thumbnailOf = (url: string) =>
  load(app, app.cast.mia, `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`);

/** What waits for pictures, and what is given to processes. */
function observe() {
  const waiting = jest.spyOn(app.get(Pictures), 'make');
  const begun = jest.spyOn(PictureProcess.prototype, 'ask');
  return { waiting, begun };
}

describe('A person who uploads many slow pictures', () => {
  it('waits, while the avatars and emoji of other people do not', async () => {
    const { mia, max, robo } = app.cast;
    jest.replaceProperty(STRICT, 'maxSeconds', 600);
    expectSuccess(await addEmoji(max, await png()));
    const goOn = hold(pictureProcesses()[0]);
    const { waiting, begun } = observe();
    const refused: Answer[] = [];
    const slow = Array.from({ length: 22 }, async (_, at) => {
      const answer = await addEmoji(at % 2 === 0 ? mia : robo, gifOfFrames(2));
      if (answer.status !== 200) refused.push(answer);
      return answer;
    });
    await until(() => refused.length === 16);
    for (const answer of refused) {
      const message = 'Too many pictures of yours are being processed. Please wait for some of them.';
      expectError(answer, message, { status: 429, code: 'RATE_LIMIT_HIT', data: { 'retry-after': 5 } });
      expect(answer.headers['retry-after']).toBe('5');
    }
    const content = await png();
    expectSuccess(await setPicture(max, content));
    const emoji = addEmoji(max, content);
    await until(() => waiting.mock.calls.length === 23);
    begun.mockClear();
    goOn();
    expectSuccess(await emoji);
    for (const answer of await Promise.all(slow)) if (!refused.includes(answer)) expectSuccess(answer);
    // One was begun before, and five waited.
    expect(begun.mock.calls.map(([{ file }]) => content.equals(file as Buffer))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('A picture that ends what decodes it', () => {
  it('is refused, and others are not', async () => {
    const { mia, max } = app.cast;
    const stopped = pictureProcesses();
    for (const pid of stopped) hold(pid);
    const { waiting } = observe();
    const fate = addEmoji(mia, gifOfFrames(2));
    await until(() => waiting.mock.calls.length === 1);
    const next = addEmoji(max, await png());
    await until(() => waiting.mock.calls.length === 2);
    for (const pid of stopped) process.kill(pid, 'SIGKILL');
    expectError(await fate, 'The image takes too much memory to process. Try a smaller or simpler one.', {
      code: 'BAD_IMAGE',
    });
    expectSuccess(await next);
    expectSuccess(await setPicture(mia, await png()));
  });
});

describe('A file that is far smaller than the picture in it', () => {
  it.each([
    ['a.avif', 'an AVIF of 40 million pixels', () => largeAvif()],
    ['a.avif', 'an AVIF that says it is small', () => largeAvif(63)],
    ['a.tif', 'a TIFF of numbers of 64 bits', () => tiffThatSays(6000, 6000, 64)],
    ['a.tif', 'a TIFF of 900 million pixels', () => tiffThatSays(30_000, 30_000, 8)],
    [
      'a.webp',
      'a moving WebP of 268 million pixels',
      async () => webpThatSays(16_384, 200, await plainPicture(16, 16).webp().toBuffer()),
    ],
  ])('%s, %s, is kept, shown as it is, and takes little memory', async (name, _what, content) => {
    const taken = memoryWatch();
    const file = await content();
    const url = await upload(app, app.cast.mia, { name, content: file });
    await picturesDone(app);
    expect((await thumbnailOf(url)).status).toBe(404);
    expect((await load(app, app.cast.mia, url)).body).toEqual(file);
    expect(taken()).toBeLessThan(150 * MIB);
    for (const pid of pictureProcesses()) expect(peakMemoryOf(pid)).toBeLessThan(200 * MIB);
  });

  it('is taken where it is none, whatever its kind', async () => {
    const small = await plainPicture(16, 16).webp().toBuffer();
    const url = await upload(app, app.cast.mia, { name: 'a.webp', content: webpThatSays(20, 4, small) });
    await picturesDone(app);
    expect((await thumbnailOf(url)).status).toBe(200);
  });
});
