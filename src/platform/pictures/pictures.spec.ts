import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { framesWithin, LENIENT } from './picture-limits';
import { PictureLine, Pictures } from './pictures';
import { BadImage, PictureTakesTooMuch, PictureTooLarge, TooManyFrames } from './pictures.errors';
import { gifOfFrames } from '../../../test/support/gif';
import { tiffThatSays } from '../../../test/support/hostile-pictures';
import { hold, pictureProcesses } from '../../../test/support/picture-processes';
import { RateLimitHit, ServerBusy } from '../errors/request.errors';

const NOISE = {
  width: 300,
  height: 200,
  channels: 3,
  background: '#000',
  noise: { type: 'gaussian', mean: 128, sigma: 30 },
} as const;

const PERSON = 7;
const SMALL = { width: 64, height: 64, fit: 'inside' } as const;
const STILL = { still: { ...SMALL, format: 'png' } } as const;
const MADE = { still: expect.any(Buffer) };
const MOVING = { moving: { ...SMALL, isAnimated: true, format: 'webp' } } as const;

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } });

/** A small PNG that claims to have this many pixels. */
async function pngThatSays(side: number, options: sharp.PngOptions = {}, space = 'srgb'): Promise<Buffer> {
  const file = await plain(9, 9).ensureAlpha().toColourspace(space).png(options).toBuffer();
  const header = file.subarray(12, 29);
  header.writeUInt32BE(side, 4);
  header.writeUInt32BE(side, 8);
  file.writeUInt32BE(crc32(header), 29);
  return file;
}

let pictures: Pictures;

beforeAll(() => {
  pictures = new Pictures();
});

afterAll(() => pictures.onApplicationShutdown());

describe('Pictures', () => {
  const make = (file: Buffer) => pictures.make(PERSON, file, STILL);

  it('have frames and pixels up to a limit', async () => {
    await expect(make(gifOfFrames(500))).resolves.toMatchObject({ still: expect.any(Buffer) });
    await expect(make(gifOfFrames(501))).rejects.toThrow(TooManyFrames);
    await expect(make(gifOfFrames(60_000))).rejects.toThrow(TooManyFrames);
    await expect(make(gifOfFrames(500, 300, 300))).rejects.toThrow(PictureTooLarge);
    await expect(make(await plain(9000, 9000).png().toBuffer())).rejects.toThrow(PictureTooLarge);
  });

  it('take memory up to a limit, depending on the depth of their pixels', async () => {
    await expect(make(await pngThatSays(6200, { progressive: true }, 'rgb16'))).rejects.toThrow(
      PictureTakesTooMuch,
    );
    // It is within the limits, but the pixels are missing.
    await expect(make(await pngThatSays(5700, { progressive: true }, 'rgb16'))).rejects.toThrow(
      'Could not decode image',
    );
  });

  it('are made in every requested version', async () => {
    const ground = { ...SMALL, fit: 'contain', format: 'gif', isAnimated: true } as const;
    const made = await pictures.portray(PERSON, await movingGif(3), {
      whole: ground,
      cut: { width: 10, height: 10, fit: 'cover', format: 'png' },
      kept: { ...SMALL, format: 'webp' },
      none: null,
    });
    const forms = await Promise.all(
      [made.whole, made.cut, made.kept].map((file) => sharp(file!, { pages: -1 }).metadata()),
    );
    expect(forms).toMatchObject([
      { format: 'gif', width: 64, pageHeight: 64, pages: 3 },
      { format: 'png', width: 10, height: 10 },
      { format: 'webp', width: 8, height: 8 },
    ]);
    expect(made.none).toBeNull();
    await expect(pictures.portray(PERSON, made.cut!, MOVING)).resolves.toEqual({ moving: null });
  });

  it('of people do not wait behind others', async () => {
    const own = new Pictures();
    const before = new Set(pictureProcesses());
    await own.make(PERSON, gifOfFrames(2), STILL);
    const [ofEmoji] = pictureProcesses().filter((pid) => !before.has(pid));
    const goOn = hold(ofEmoji);
    const emoji = own.make(PERSON, gifOfFrames(2), STILL);
    await expect(own.portray(PERSON, gifOfFrames(2), STILL)).resolves.toMatchObject(MADE);
    goOn();
    await expect(emoji).resolves.toMatchObject(MADE);
    own.onApplicationShutdown();
  });
});

describe('Files on the disk', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const stored = (content: Buffer) => {
    const path = join(folder, 'picture');
    writeFileSync(path, content);
    return path;
  };
  const examine = (content: Buffer) => pictures.examine(PERSON, stored(content));
  const framesOf = async (content: Buffer) => {
    const { moving } = await pictures.makeOfFile(PERSON, stored(content), MOVING);
    return (await sharp(moving!, { pages: -1 }).metadata()).pages;
  };

  it('are examined without being decoded', async () => {
    const sideways = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await expect(examine(sideways)).resolves.toMatchObject({
      kind: 'jpeg',
      width: 20,
      height: 30,
      frames: 1,
    });
    const whole = await sharp({ create: NOISE }).png().toBuffer();
    const most = whole.subarray(0, -30);
    await expect(examine(most)).resolves.toMatchObject({ width: 300 });
    await expect(pictures.makeOfFile(PERSON, stored(most), STILL)).rejects.toThrow(BadImage);
  });

  it('may be larger than others if read line by line', async () => {
    const outcome = async (content: Buffer) =>
      examine(content).then(
        ({ width }) => width,
        (error: unknown) => (error as Error).constructor.name,
      );
    await expect(outcome(await pngThatSays(9000))).resolves.toBe(9000);
    await expect(outcome(await pngThatSays(9500))).resolves.toBe('PictureTooLarge');
    await expect(outcome(await pngThatSays(9000, { progressive: true }))).resolves.toBe('PictureTooLarge');
    await expect(outcome(tiffThatSays(9000, 9000, 8))).resolves.toBe('PictureTooLarge');
  });

  it('are animated for as many frames as the limits allow', async () => {
    await expect(framesOf(await movingGif(2))).resolves.toBe(2);
    await expect(framesOf(await movingGif(600))).resolves.toBe(500);
    const frames = (count: number, side: number) =>
      framesWithin({ width: side, height: side, frames: count }, LENIENT);
    expect([frames(30, 2000), frames(9, 5000), frames(9, 5500), frames(2, 5500), frames(1, 5500)]).toEqual([
      22, 3, 1, 2, 1,
    ]);
  });

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('are refused where they are %s', async (_what, content) => {
    await expect(examine(content)).rejects.toThrow(BadImage);
    await expect(pictures.examine(PERSON, join(folder, 'missing'))).rejects.toThrow(BadImage);
  });
});

/** An animation whose frames differ, so that encoders drop none. */
async function movingGif(frames: number): Promise<Buffer> {
  const raw = Buffer.from(
    Array.from({ length: frames * 64 * 3 }, (_, at) =>
      at % 192 < (Math.floor(at / 192) * 7) % 192 ? 255 : 0,
    ),
  );
  return sharp(raw, { raw: { width: 8, height: 8 * frames, channels: 3, pageHeight: 8 } })
    .gif({ effort: 1 })
    .toBuffer();
}

/** A line whose tasks are completed manually. */
function heldLine() {
  const line = new PictureLine();
  const begun: string[] = [];
  const finishes: (() => void)[] = [];
  const join = (person: number, name: string) =>
    line.run(person, () => {
      begun.push(name);
      return new Promise<void>((done) => finishes.push(done));
    });
  const goOn = async () => {
    finishes.shift()?.();
    await new Promise(setImmediate);
  };
  return { line, begun, join, goOn };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('A line of pictures', () => {
  it('gives each person one turn after the other', async () => {
    const { begun, join, goOn } = heldLine();
    const all = [1, 2, 3, 4].map((at) => join(1, `a${at}`));
    all.push(join(2, 'b1'), join(3, 'c1'), join(2, 'b2'));
    for (let turn = 0; turn < 7; turn++) await goOn();
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('continues after a failure', async () => {
    const line = new PictureLine();
    const failed = line.run(1, () => Promise.reject(new Error('no picture')));
    const next = line.run(1, () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no picture');
    await expect(next).resolves.toBe('done');
    await expect(line.run(2, () => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('accepts at most five tasks of a person', async () => {
    const { join, goOn } = heldLine();
    const all = Array.from({ length: 6 }, () => join(1, 'a'));
    await expect(join(1, 'a')).rejects.toThrow(RateLimitHit);
    all.push(join(2, 'b'));
    for (let turn = 0; turn < 7; turn++) await goOn();
    await Promise.all(all);
  });

  it('accepts at most twenty tasks, then drops the last one of the person with the most', async () => {
    const { begun, join, goOn } = heldLine();
    const first = join(9, 'first');
    const ofFour = [1, 2, 3, 4].map((person) => [1, 2, 3, 4, 5].map((at) => join(person, `${person}${at}`)));
    const outcomes = ofFour.flat().map(reasonOf);
    const late = [5, 6, 7, 8].map((person) => join(person, `late ${person}`));
    for (let turn = 0; turn < 21; turn++) await goOn();
    await Promise.all([first, ...late]);
    const refused = (await Promise.all(outcomes)).filter((error) => error !== null);
    expect(refused).toHaveLength(4);
    for (const error of refused) expect(error).toBeInstanceOf(RateLimitHit);
    expect(begun).toHaveLength(21);
    expect(begun).not.toContain('15');
  });

  it('refuses if everyone in it has as few', async () => {
    const { join, goOn } = heldLine();
    const all = Array.from({ length: 21 }, (_, person) => join(person, 'one'));
    await expect(join(99, 'one')).rejects.toThrow(ServerBusy);
    for (let turn = 0; turn < 21; turn++) await goOn();
    await Promise.all(all);
  });
});
