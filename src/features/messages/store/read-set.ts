import type { IdRange } from './message-rows.service';

/** Whether a person has read a message. */
export type ReadStatus = 'read' | 'unread';

/** Number of message IDs in one block of a person's read state. */
export const BLOCK_SIZE = 1024;

/** A block in which everything is read. Such blocks are common, so they are stored and skipped as one character. */
const FULL = '*';

const BYTES = BLOCK_SIZE / 8;

/** A block as stored in the table. */
export type StoredBlock = readonly [block: number, bits: string];

/** The block that contains a message ID. */
export function blockOf(messageId: number): number {
  return Math.floor(messageId / BLOCK_SIZE);
}

/**
 * The messages that a person has read. A stored block has one bit per message; elsewhere, everything at or below the
 * watermark is read and the rest is not. So marking everything as read moves one number, and marking a message below
 * the watermark as unread costs one block.
 *
 * It contains only the blocks passed to it: query and change only IDs whose blocks were loaded, or load all of them.
 */
export class ReadSet {
  private readonly blocks = new Map<number, Uint8Array | typeof FULL>();
  private readonly changed = new Set<number>();
  private readonly stored: ReadonlySet<number>;

  /**
   * @param watermark the message ID up to which everything is read, except as recorded in blocks
   * @param stored blocks as stored in the table: number and text
   */
  constructor(
    readonly watermark: number,
    stored: Iterable<StoredBlock> = [],
  ) {
    for (const [block, bits] of stored) this.blocks.set(block, decode(bits));
    this.stored = new Set(this.blocks.keys());
  }

  isRead(messageId: number): boolean {
    const bits = this.blocks.get(blockOf(messageId));
    if (bits === undefined) return messageId <= this.watermark;
    return bits === FULL || isSet(bits, messageId % BLOCK_SIZE);
  }

  /** @returns the IDs whose status changed, in the order given */
  mark(messageIds: Iterable<number>, status: ReadStatus): number[] {
    const read = status === 'read';
    const altered: number[] = [];
    for (const id of messageIds) {
      if (this.isRead(id) === read) continue;
      const bits = this.writable(blockOf(id));
      if (read) set(bits, id % BLOCK_SIZE);
      else clear(bits, id % BLOCK_SIZE);
      this.changed.add(blockOf(id));
      altered.push(id);
    }
    return altered;
  }

  /** The blocks that differ from the table, encoded for it. */
  changedBlocks(): StoredBlock[] {
    return [...this.changed]
      .sort((a, b) => a - b)
      .map((block) => [block, encode(this.blocks.get(block) ?? FULL)]);
  }

  /** How many of the changed blocks are not in the table yet. */
  get newBlocks(): number {
    return [...this.changed].filter((block) => !this.stored.has(block)).length;
  }

  /** The stored blocks from the given one on, ascending. */
  storedFrom(block: number): number[] {
    return [...this.stored].filter((one) => one >= block).sort((a, b) => a - b);
  }

  /**
   * The unread IDs at or below the watermark, ascending. Costs only as much as there are unread messages, since moving
   * the watermark leaves blocks only where something is unread (see {@link blocksWithUnread}).
   */
  unreadUpToWatermark(): number[] {
    const unread: number[] = [];
    for (const block of [...this.blocks.keys()].sort((a, b) => a - b)) {
      const bits = this.blocks.get(block);
      if (bits === undefined || bits === FULL) continue;
      const last = Math.min(this.watermark - block * BLOCK_SIZE, BLOCK_SIZE - 1);
      for (let byte = 0; byte * 8 <= last; byte++) {
        // Most bytes are full, and there may be thousands of blocks.
        if (bits[byte] === 0xff) continue;
        for (let bit = byte * 8; bit <= Math.min(byte * 8 + 7, last); bit++) {
          if (!isSet(bits, bit)) unread.push(block * BLOCK_SIZE + bit);
        }
      }
    }
    return unread;
  }

  /** The read IDs above the watermark within a range. They are few, since the watermark advances (see its service). */
  readAbove({ low, high }: IdRange): number[] {
    const read: number[] = [];
    for (const block of this.blocks.keys()) {
      const start = Math.max(low, this.watermark + 1, block * BLOCK_SIZE);
      const end = Math.min(high, block * BLOCK_SIZE + BLOCK_SIZE - 1);
      for (let id = start; id <= end; id++) if (this.isRead(id)) read.push(id);
    }
    return read;
  }

  /** The parts of a range, ascending, that contain all its IDs with the status. Messages outside need no test. */
  rangesWith(status: ReadStatus, { low, high }: IdRange): IdRange[] {
    const read = status === 'read';
    const ranges: { low: number; high: number }[] = [];
    const add = (from: number, to: number) => {
      const range = { low: Math.max(from, low), high: Math.min(to, high) };
      const last = ranges.at(-1);
      if (range.low > range.high) return;
      if (last?.high === range.low - 1) last.high = range.high;
      else ranges.push(range);
    };
    const addUnwritten = (from: number, to: number) =>
      read ? add(from, Math.min(to, this.watermark)) : add(Math.max(from, this.watermark + 1), to);
    let next = low;
    const within = [...this.blocks.keys()].filter((block) => block >= blockOf(low) && block <= blockOf(high));
    for (const block of within.sort((a, b) => a - b)) {
      const start = block * BLOCK_SIZE;
      addUnwritten(next, Math.min(start - 1, high));
      const bits = this.blocks.get(block);
      if (bits === FULL && read) add(start, start + BLOCK_SIZE - 1);
      else if (bits !== undefined && bits !== FULL) {
        const places = Array.from({ length: BLOCK_SIZE }, (_, bit) => bit).filter(
          (bit) => isSet(bits, bit) === read,
        );
        if (places.length > 0) add(start + (places[0] as number), start + (places.at(-1) as number));
      }
      next = Math.max(next, start + BLOCK_SIZE);
    }
    addUnwritten(next, high);
    return ranges;
  }

  private writable(block: number): Uint8Array {
    const current = this.blocks.get(block);
    if (current !== undefined && current !== FULL) return current;
    const bits = new Uint8Array(BYTES);
    if (current === FULL) bits.fill(0xff);
    else this.fillUpToWatermark(bits, block);
    this.blocks.set(block, bits);
    return bits;
  }

  private fillUpToWatermark(bits: Uint8Array, block: number): void {
    const last = Math.min(this.watermark - block * BLOCK_SIZE, BLOCK_SIZE - 1);
    for (let bit = 0; bit <= last; bit++) set(bits, bit);
  }
}

/** Blocks in which everything except these messages is read. */
export function blocksWithUnread(messageIds: Iterable<number>): StoredBlock[] {
  const blocks = new Map<number, Uint8Array>();
  for (const id of messageIds) {
    const bits = blocks.get(blockOf(id)) ?? new Uint8Array(BYTES).fill(0xff);
    clear(bits, id % BLOCK_SIZE);
    blocks.set(blockOf(id), bits);
  }
  return [...blocks].map(([block, bits]) => [block, encode(bits)]);
}

/** Omits trailing zero bytes: most blocks are written while they are still mostly empty. */
function encode(bits: Uint8Array | typeof FULL): string {
  if (bits === FULL || bits.every((byte) => byte === 0xff)) return FULL;
  const used = bits.findLastIndex((byte) => byte !== 0) + 1;
  return Buffer.from(bits.subarray(0, used)).toString('base64');
}

function decode(text: string): Uint8Array | typeof FULL {
  if (text === FULL) return FULL;
  const bits = new Uint8Array(BYTES);
  bits.set(Buffer.from(text, 'base64').subarray(0, BYTES));
  return bits;
}

/** Whether a stored block has its canonical encoding. */
export function isCanonicalBlock(text: string): boolean {
  return encode(decode(text)) === text;
}

function isSet(bits: Uint8Array, bit: number): boolean {
  return ((bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
}

function set(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
}

function clear(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] as number) & ~(1 << (bit & 7));
}
