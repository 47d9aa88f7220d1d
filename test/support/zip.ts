import { crc32, deflateRawSync } from 'node:zlib';

/** False statements of a ZIP entry's headers. */
export interface ZipLies {
  readonly flags?: number;
  readonly method?: number;
  readonly size?: number;
  readonly checksum?: number;
  /** Unix mode, with the file type. */
  readonly mode?: number;
  /** Entry whose offset it shares. */
  readonly sharedWith?: number;
  /** Only in its local header. */
  readonly ownName?: string;
  /** Bytes added to its directory record. */
  readonly extra?: Buffer;
}

export type ZipContent = readonly [path: string | Buffer, content: string | Buffer, lies?: ZipLies];

/** A compressed ZIP archive. @param change applied to the end of the directory */
export function zipOf(entries: Iterable<ZipContent>, change?: (end: Buffer) => void): Buffer {
  const blocks: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: number[] = [];
  let at = 0;
  let count = 0;
  for (const [path, text, lies = {}] of entries) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const name = Buffer.from(path);
    const ownName = Buffer.from(lies.ownName ?? name);
    const about = Buffer.alloc(22);
    about.writeUInt16LE(lies.flags ?? 0, 0);
    about.writeUInt16LE(lies.method ?? 8, 2);
    about.writeUInt32LE(lies.checksum ?? crc32(content), 8);
    about.writeUInt32LE(packed.length, 12);
    about.writeUInt32LE(lies.size ?? content.length, 16);
    const own = Buffer.concat([words(0x04034b50, 20), about, Buffer.alloc(2), ownName, packed]);
    own.writeUInt16LE(ownName.length, 26);
    const { extra = Buffer.alloc(0), sharedWith } = lies;
    const line = Buffer.concat([words(0x02014b50, 0x0314, 20), about, Buffer.alloc(16), name, extra]);
    line.writeUInt16LE(name.length, 28);
    line.writeUInt16LE(extra.length, 30);
    line.writeUInt32LE(((lies.mode ?? 0) << 16) >>> 0, 38);
    line.writeUInt32LE(sharedWith === undefined ? at : (places[sharedWith] ?? 0), 42);
    directory.push(line);
    places.push(at);
    blocks.push(own);
    at += own.length;
    count++;
  }
  const lines = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(lines.length, 12);
  end.writeUInt32LE(at, 16);
  change?.(end);
  return Buffer.concat([...blocks, lines, end]);
}

/** A signature followed by versions. */
function words(signature: number, ...versions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * versions.length);
  bytes.writeUInt32LE(signature, 0);
  for (const [at, version] of versions.entries()) bytes.writeUInt16LE(version, 4 + 2 * at);
  return bytes;
}
