import sharp from 'sharp';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { Pictures } from '../../src/platform/pictures/pictures';
import type { TestApp } from './test-app';

/** A picture of one color. */
export function plainPicture(width: number, height: number, color = '#336699') {
  return sharp({ create: { width, height, channels: 3, background: color } });
}

/** An animation whose frames differ. */
export async function movingPicture(frames: number, width: number, height: number): Promise<Buffer> {
  const colors = Array.from({ length: frames }, (_, at) => `rgb(${(at * 40) % 256}, 90, ${(at * 70) % 256})`);
  const raws = await Promise.all(colors.map((color) => plainPicture(width, height, color).raw().toBuffer()));
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(Buffer.concat(raws), { raw }).gif().toBuffer();
}

/** Resolves once all follow-up work of uploads is done: thumbnails exist and are shown. */
export async function picturesDone(app: TestApp): Promise<void> {
  // The jobs that create them enqueue those that show them.
  for (let round = 0; round < 2; round++) await app.get(Jobs).runDue();
}

/** Blocks the creation of thumbnails. @returns a function that unblocks it */
export function holdPictures(app: TestApp): () => Promise<void> {
  const pictures = app.get(Pictures);
  const original = pictures.makeOfFile.bind(pictures);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const spy = jest.spyOn(pictures, 'makeOfFile').mockImplementation(async (person, path, recipe) => {
    await gate;
    return original(person, path, recipe);
  });
  return async () => {
    release();
    await picturesDone(app);
    spy.mockRestore();
  };
}
