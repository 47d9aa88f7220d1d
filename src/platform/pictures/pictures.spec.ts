import sharp from 'sharp';
import { gifOfFrames } from '../../../test/support/gif';
import { ServerBusy } from '../errors/request.errors';
import { BadImage, PictureTakesTooLong, PictureTooLarge, TooManyFrames } from './pictures.errors';
import { Pictures } from './pictures';

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
