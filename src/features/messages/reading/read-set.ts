/** Message IDs of one block of a person's read state. */
export const BLOCK_SIZE = 1024;

/** Stands for a block in which everything is read, so that such blocks cost and are skipped as one character. */
const FULL = '*';

const BYTES = BLOCK_SIZE / 8;

/** The block a message ID falls into. */
export function blockOf(messageId: number): number {
  return Math.floor(messageId / BLOCK_SIZE);
}

/**
 * Which messages a person has read. A block that has been written says it bit by bit; everywhere else
 * what lies at or below the watermark is read and the rest is not. So marking everything read moves one
 * number, and what is marked unread below the watermark costs one block.
 *
 * It holds only the blocks it was given: ask and change only IDs whose blocks were loaded, or all of them.
 */
export class ReadSet {
  private readonly blocks = new Map<number, Uint8Array | typeof FULL>();
  private readonly changed = new Set<number>();

  /**
   * @param watermark the message ID up to which everything is read unless a block says otherwise
   * @param stored blocks as they are in the table: number and text
   */
  constructor(
    readonly watermark: number,
    stored: Iterable<readonly [block: number, bits: string]> = [],
  ) {
    for (const [block, bits] of stored) this.blocks.set(block, decode(bits));
  }

  isRead(messageId: number): boolean {
    const bits = this.blocks.get(blockOf(messageId));
    if (bits === undefined) return messageId <= this.watermark;
    return bits === FULL || isSet(bits, messageId % BLOCK_SIZE);
  }

  /** @returns the IDs that were not in the wanted state before, in the order given */
  mark(messageIds: Iterable<number>, read: boolean): number[] {
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

  /** The blocks that differ from the table, ready to be stored. */
  changedBlocks(): [block: number, bits: string][] {
    return [...this.changed]
      .sort((a, b) => a - b)
      .map((block) => [block, encode(this.blocks.get(block) ?? FULL)]);
  }

  /**
   * The nearest ID at or above the given one that may be unread, skipping whole blocks. Use it to jump
   * over what needs no look at the messages.
   */
  nextCandidate(messageId: number): number {
    let id = messageId;
    for (;;) {
      const block = blockOf(id);
      const bits = this.blocks.get(block);
      if (bits === undefined) {
        if (id > this.watermark) return id;
        id = Math.min(this.watermark + 1, (block + 1) * BLOCK_SIZE);
      } else if (bits === FULL) {
        id = (block + 1) * BLOCK_SIZE;
      } else {
        return id;
      }
      if (blockOf(id) === block) return id;
    }
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

/** Trailing zero bytes are left out: most blocks are written while they are still mostly empty. */
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

function isSet(bits: Uint8Array, bit: number): boolean {
  return ((bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
}

function set(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
}

function clear(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] as number) & ~(1 << (bit & 7));
}
