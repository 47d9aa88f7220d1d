/** The values that authenticators send: numbers, bytes, texts, arrays, maps and simple values. */
export type Cbor = number | boolean | null | string | Buffer | readonly Cbor[] | CborMap;

/** Keys are numbers or texts. */
export type CborMap = ReadonlyMap<number | string, Cbor>;

/** The bytes are not valid CTAP2 CBOR. */
export class MalformedCbor extends Error {
  override readonly name = 'MalformedCbor';
}

const MAX_DEPTH = 4;
const MAX_ITEMS = 64;

/**
 * Reads one CBOR item at an offset, in the canonical form of CTAP2: definite lengths, the shortest form of each number,
 * no tags and no floating-point numbers. Copies nothing, and limits depth and number of items.
 * @returns the item and the offset of its end
 * @throws MalformedCbor
 */
export function readCbor(bytes: Buffer, offset = 0): { readonly item: Cbor; readonly end: number } {
  const reader = new CborReader(bytes, offset);
  const item = reader.item(0);
  return { item, end: reader.offset };
}

/** Reads a map that consists of all the bytes. @throws MalformedCbor */
export function readCborMap(bytes: Buffer): CborMap {
  const { item, end } = readCbor(bytes);
  if (end !== bytes.length) throw new MalformedCbor('bytes after the end');
  return asMap(item);
}

/** @throws MalformedCbor */
export function asMap(item: Cbor): CborMap {
  if (!(item instanceof Map)) throw new MalformedCbor('no map');
  return item;
}

class CborReader {
  constructor(
    private readonly bytes: Buffer,
    public offset: number,
  ) {}

  item(depth: number): Cbor {
    if (depth > MAX_DEPTH) throw new MalformedCbor('too deep');
    const first = this.take(1)[0]!;
    const kind = first >> 5;
    if (kind === 7) return simple(first & 0x1f);
    const argument = this.argument(first & 0x1f);
    switch (kind) {
      case 0:
        return argument;
      case 1:
        return -1 - argument;
      case 2:
        return this.take(argument);
      case 3:
        return this.take(argument).toString('utf8');
      case 4:
        return Array.from({ length: bounded(argument) }, () => this.item(depth + 1));
      case 5:
        return this.map(bounded(argument), depth + 1);
      default:
        throw new MalformedCbor('a tag');
    }
  }

  private map(size: number, depth: number): CborMap {
    const entries = new Map<number | string, Cbor>();
    for (let entry = 0; entry < size; entry++) {
      const key = this.item(depth);
      if (typeof key !== 'number' && typeof key !== 'string') throw new MalformedCbor('an unusual key');
      if (entries.has(key)) throw new MalformedCbor('a key twice');
      entries.set(key, this.item(depth));
    }
    return entries;
  }

  /** The number in or after the initial byte: up to 32 bits, more than needed here. */
  private argument(short: number): number {
    if (short < 24) return short;
    const size = { 24: 1, 25: 2, 26: 4 }[short];
    if (size === undefined) throw new MalformedCbor('no definite number of 32 bits');
    const number = this.take(size).readUIntBE(0, size);
    if (number < { 1: 24, 2: 0x100, 4: 0x10000 }[size]!) throw new MalformedCbor('not the shortest form');
    return number;
  }

  private take(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new MalformedCbor('cut off');
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }
}

function simple(value: number): boolean | null {
  if (value === 20) return false;
  if (value === 21) return true;
  if (value === 22) return null;
  throw new MalformedCbor('a fraction or an unknown value');
}

function bounded(items: number): number {
  if (items > MAX_ITEMS) throw new MalformedCbor('too many items');
  return items;
}
