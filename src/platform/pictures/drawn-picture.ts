/**
 * A square picture of shapes and colours that follow from the seed, on a transparent ground, as PNG. A large one takes some
 * hundredths of a second, so keep what was drawn.
 * @param side in pixels
 */
export function drawnPicture(seed: string, side: number): Buffer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it takes several MiB, and what it draws is kept
  const { toPng } = require('jdenticon') as typeof import('jdenticon');
  return toPng(seed, side);
}
