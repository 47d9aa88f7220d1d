import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { gifOfFrames } from '../../../test/support/gif';
import { ServerBusy } from '../errors/request.errors';
import { BadImage, PictureTakesTooLong, PictureTooLarge, TooManyFrames } from './pictures.errors';
import { framesWithin, LENIENT } from './picture-limits';
import { Pictures } from './pictures';

const NOISE = {
  width: 300,
  height: 200,
  channels: 3,
  background: '#000',
  noise: { type: 'gaussian', mean: 128, sigma: 30 },
} as const;

const nothing = () => Promise.resolve();

describe('Pictures', () => {
  it('are read one at a time, and wait in a line that ends somewhere', async () => {
    const pictures = new Pictures();
    const file = gifOfFrames(2);
    let atWork = 0;
    const work = () =>
      pictures.decode(file, async ({ still }) => {
        expect(++atWork).toBe(1);
        await still.png().toBuffer();
        atWork -= 1;
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, work));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(ServerBusy);
    await expect(work()).resolves.toBeUndefined();
  });

  it('have frames and pixels up to a limit', async () => {
    const pictures = new Pictures();
    await expect(pictures.decode(gifOfFrames(500), nothing)).resolves.toBeUndefined();
    await expect(pictures.decode(gifOfFrames(501), nothing)).rejects.toThrow(TooManyFrames);
    await expect(pictures.decode(gifOfFrames(60_000), nothing)).rejects.toThrow(TooManyFrames);
    await expect(pictures.decode(gifOfFrames(500, 300, 300), nothing)).rejects.toThrow(PictureTooLarge);
    const plain = sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } });
    await expect(pictures.decode(await plain.png().toBuffer(), nothing)).rejects.toThrow(PictureTooLarge);
  });

  it('tell of what goes wrong with them', async () => {
    const pictures = new Pictures();
    const fails = (message: string) =>
      pictures.decode(gifOfFrames(2), () => Promise.reject(new Error(message)));
    await expect(fails('timeout: 3% complete')).rejects.toThrow(PictureTakesTooLong);
    await expect(fails('any other')).rejects.toThrow(BadImage);
  });

  it('are given a time', async () => {
    const optionsOf = (picture: object) => Reflect.get(picture, 'options') as { timeoutSeconds: number };
    await new Pictures().decode(gifOfFrames(2), ({ still, animation }) => {
      expect(optionsOf(still).timeoutSeconds).toBe(5);
      expect(optionsOf(still.clone()).timeoutSeconds).toBe(5);
      expect(optionsOf(animation!).timeoutSeconds).toBe(5);
      return Promise.resolve();
    });
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
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#fff' } });
  const framesOf = (content: Buffer) =>
    new Pictures().decodeFile(stored(content), ({ animation }) => {
      const options = animation && (Reflect.get(animation, 'options') as { input: { pages: number } });
      return Promise.resolve(options?.input.pages ?? 1);
    });

  it('are examined without being decoded', async () => {
    const sideways = await plain(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await expect(new Pictures().examine(stored(sideways))).resolves.toMatchObject({
      kind: 'jpeg',
      width: 20,
      height: 30,
      frames: 1,
    });
    const half = await sharp({ create: NOISE }).png().toBuffer();
    await expect(new Pictures().examine(stored(half.subarray(0, -30)))).resolves.toMatchObject({
      width: 300,
    });
    await expect(
      new Pictures().decodeFile(stored(half.subarray(0, -30)), ({ still }) => still.png().toBuffer()),
    ).rejects.toThrow(BadImage);
  });

  it('are examined while others are decoded', async () => {
    const pictures = new Pictures();
    const path = stored(gifOfFrames(2));
    await pictures.decodeFile(path, async ({ still }) => {
      await expect(pictures.examine(path)).resolves.toMatchObject({ kind: 'gif', frames: 2 });
      await still.png().toBuffer();
    });
  });

  it('may be larger than others, where they are read line by line', async () => {
    const { examine } = Pictures.prototype;
    const outcome = async (content: Buffer) =>
      examine.call(new Pictures(), stored(content)).then(
        ({ width }) => width,
        (error: unknown) => (error as Error).constructor.name,
      );
    const large = plain(9000, 9000);
    await expect(outcome(await large.clone().png({ compressionLevel: 1 }).toBuffer())).resolves.toBe(9000);
    await expect(
      outcome(await large.clone().png({ progressive: true, compressionLevel: 1 }).toBuffer()),
    ).resolves.toBe('BadImage');
    await expect(outcome(await large.clone().gif({ effort: 1 }).toBuffer())).resolves.toBe('BadImage');
    await expect(outcome(await plain(9500, 9500).png({ compressionLevel: 1 }).toBuffer())).resolves.toBe(
      'BadImage',
    );
  });

  it('move for as many frames as there is room for', async () => {
    await expect(framesOf(gifOfFrames(2))).resolves.toBe(2);
    await expect(framesOf(gifOfFrames(600))).resolves.toBe(500);
    await expect(framesOf(gifOfFrames(30, 2000, 2000))).resolves.toBe(22);
    const frames = (count: number, side: number) =>
      framesWithin({ width: side, height: side, frames: count, isReadByLine: false }, LENIENT);
    expect([frames(9, 5000), frames(9, 5500), frames(2, 5500), frames(1, 5500)]).toEqual([3, 1, 2, 1]);
  });

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('are refused where they are %s', async (_what, content) => {
    await expect(new Pictures().examine(stored(content))).rejects.toThrow(BadImage);
    await expect(new Pictures().examine(join(folder, 'missing'))).rejects.toThrow(BadImage);
  });
});
