const word = (value: number) => [value & 255, value >> 8];

/** An animation of one-pixel frames, with 23 bytes per frame. */
export function gifOfFrames(frames: number, width = 16, height = 16): Buffer {
  const screen = [...word(width), ...word(height), 0x80, 0, 0];
  const colors = [0, 0, 0, 255, 255, 255];
  const control = [0x21, 0xf9, 4, 0, 1, 0, 0, 0];
  const picture = [0x2c, 0, 0, 0, 0, ...word(1), ...word(1), 0, 2, 2, 0x44, 1, 0];
  const frame = Buffer.from([...control, ...picture]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...screen, ...colors]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}
