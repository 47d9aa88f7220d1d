/** A TIFF of a few bytes that claims this many pixels and bits, in one missing strip. */
export function tiffThatSays(width: number, height: number, bits: number): Buffer {
  const long = 4;
  const entries = [
    [256, width],
    [257, height],
    [258, bits],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, height],
    [279, Math.min((width * height * bits) / 8, 0xffffffff)],
  ].map(([tag = 0, value = 0]) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(long, 2);
    entry.writeUInt32LE(1, 4);
    entry.writeUInt32LE(value, 8);
    return entry;
  });
  // The list of entries ends with the offset of the next picture, which is this one again.
  return Buffer.concat([
    Buffer.from('49492a0008000000', 'hex'),
    Buffer.from([entries.length, 0]),
    ...entries,
    Buffer.from('08000000', 'hex'),
  ]);
}

/** An animated WebP whose canvas claims this many pixels, with one small picture for all frames. */
export function webpThatSays(side: number, frames: number, picture: Buffer): Buffer {
  const u24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name);
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  // After "RIFF", a length and "WEBP", a plain picture has a single chunk.
  const [width, height] = [16, 16];
  const place = [...u24(0), ...u24(0), ...u24(width - 1), ...u24(height - 1), ...u24(100), 0];
  const frame = chunk('ANMF', Buffer.concat([Buffer.from(place), picture.subarray(12)]));
  const content = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from([2, 0, 0, 0, ...u24(side - 1), ...u24(side - 1)])),
    chunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ]);
  return chunk('RIFF', content);
}
