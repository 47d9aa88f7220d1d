import { isUtf8 } from 'node:buffer';
import { ArchiveRefused } from './unpacking';
import type { ArchivedFile } from './archive-folder';

/** A row of a table of a JSON file. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** A row, or a placeholder for a table that is not a list. */
export interface JsonUnit {
  /** Key of the table; empty in a file that is a single list. */
  readonly table: string;
  /** Null for a value that is not a list. */
  readonly row: JsonRow | null;
}

/** Rows that arrive together. */
export interface JsonBatch {
  readonly table: string;
  /** Null for a value that is not a list. */
  readonly rows: readonly (JsonRow | null)[];
}

/** Maximum number of bytes of a row, and of nesting levels within it. */
const MAX_ROW_BYTES = 16 * 1024 ** 2;
const MAX_DEPTH = 64;
const MAX_KEY_BYTES = 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Position in a file: before its value, among keys, before a value, among rows, in a value, or after everything. */
type Place = 'start' | 'keys' | 'key' | 'colon' | 'value' | 'rows' | 'unit' | 'end';

/**
 * Reads a JSON file of tables (an object of lists of objects) or of rows (a list of objects) with one row in memory.
 * Rows of unwanted tables are skipped without parsing.
 * @throws ArchiveRefused for files of another form, rows that are too long or too deep, and duplicate keys
 */
export async function* jsonRows(
  file: ArchivedFile,
  isWanted: (table: string) => boolean = () => true,
): AsyncGenerator<JsonUnit> {
  for await (const { table, rows } of jsonRowBatches(file, isWanted))
    for (const row of rows) yield { table, row };
}

/**
 * The same, in batches of the rows that arrive together: awaiting each of millions of rows would take longer than
 * reading them.
 */
export async function* jsonRowBatches(
  file: ArchivedFile,
  isWanted: (table: string) => boolean = () => true,
): AsyncGenerator<JsonBatch> {
  const scanner = new Scanner(file.path, isWanted);
  for await (const chunk of file.content()) yield* scanner.scan(chunk);
  scanner.finish();
}

/**
 * Reads a file of rows without an enclosing list, usually one per line, with one row in memory.
 * @throws ArchiveRefused as {@link jsonRows} does
 */
export async function* jsonLines(file: ArchivedFile): AsyncGenerator<JsonRow> {
  const scanner = new Scanner(file.path, () => true, true);
  for await (const chunk of file.content())
    for (const { rows } of scanner.scan(chunk)) for (const row of rows) if (row !== null) yield row;
  scanner.finish();
}

/** Finds rows in a stream of bytes without parsing them. */
class Scanner {
  private place: Place = 'start';
  private readonly tables = new Set<string>();
  private table = '';
  private isTableWanted: boolean;
  private isList = false;
  private mayFollow = true;
  private offset = 0;
  private depth = 0;
  private colons = 0;
  private inString = false;
  private isEscaped = false;
  private isScalar = false;
  /** Whether the next byte is the first one of the current unit. */
  private hasBegun = false;
  private wasRow = false;
  private parts: Buffer[] = [];
  private length = 0;
  private batches: JsonBatch[] = [];
  /** Start, end and number of colons of each of the consecutive rows in this chunk. */
  private run: number[] = [];

  constructor(
    private readonly path: string,
    private readonly isWanted: (table: string) => boolean,
    /** Whether rows follow each other without an enclosing list or separators. */
    private readonly isBare = false,
  ) {
    this.isTableWanted = isWanted('');
    if (isBare) this.place = 'rows';
  }

  scan(chunk: Buffer): readonly JsonBatch[] {
    this.batches = [];
    for (let at = 0; at < chunk.length;) {
      if (this.place !== 'unit' && this.place !== 'key') {
        const byte = chunk[at] as number;
        if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) {
          if (byte === CLOSE_LIST) this.endRun(chunk);
          this.structure(byte, at);
        }
        // The first byte belongs to the unit.
        if (!this.hasBegun) at++;
        continue;
      }
      const isWhole = this.hasBegun && this.wasRow && this.isTableWanted && !this.isBare;
      const end = this.endWithin(chunk, at);
      if (isWhole && end !== null) this.addToRun(at, end);
      else this.keep(chunk, at, end ?? chunk.length);
      if (end === null) break;
      if (this.place === 'key') this.endKey(end);
      else if (this.place === 'unit') this.endUnit(end);
      at = end;
    }
    this.endRun(chunk);
    this.offset += chunk.length;
    return this.batches;
  }

  finish(): void {
    if (this.place !== (this.isBare ? 'rows' : 'end')) this.refuse('The file breaks off', 0);
  }

  private structure(byte: number, at: number): void {
    if (this.place === 'start' && (byte === OPEN_OBJECT || byte === OPEN_LIST)) {
      this.isList = byte === OPEN_LIST;
      this.place = this.isList ? 'rows' : 'keys';
    } else if (this.place === 'keys' && byte === CLOSE_OBJECT) this.place = 'end';
    else if (this.place === 'keys' && byte === COMMA && !this.mayFollow) this.mayFollow = true;
    else if (this.place === 'keys' && byte === QUOTE && this.mayFollow) this.begin('key', byte);
    else if (this.place === 'colon' && byte === COLON) this.place = 'value';
    else if (this.place === 'value' && byte === OPEN_LIST) {
      this.place = 'rows';
      this.mayFollow = true;
    } else if (this.place === 'value') this.begin('unit', byte);
    else if (this.place === 'rows' && byte === CLOSE_LIST && !this.isBare) {
      this.place = this.isList ? 'end' : 'keys';
      this.mayFollow = false;
    } else if (this.place === 'rows' && byte === COMMA && !this.mayFollow) this.mayFollow = true;
    else if (this.place === 'rows' && byte === OPEN_OBJECT && this.mayFollow) this.begin('unit', byte);
    else this.refuse('Unexpected character', at);
  }

  private begin(place: 'key' | 'unit', byte: number): void {
    this.wasRow = this.place === 'rows';
    this.place = place;
    this.hasBegun = true;
    this.parts = [];
    this.length = 0;
    this.depth = byte === OPEN_OBJECT || byte === OPEN_LIST ? 1 : 0;
    this.inString = byte === QUOTE;
    this.isScalar = this.depth === 0 && !this.inString;
    this.isEscaped = false;
    this.colons = 0;
  }

  /** The offset after the last byte of the current unit; null if it does not end in this chunk. */
  private endWithin(chunk: Buffer, from: number): number | null {
    let at = from;
    if (this.hasBegun) {
      this.hasBegun = false;
      at++;
    }
    if (this.isScalar) {
      while (at < chunk.length && !endsScalar(chunk[at] as number)) at++;
      return at < chunk.length ? at : null;
    }
    // In local variables, because this loop visits every byte of an archive.
    let { inString, isEscaped, depth, colons } = this;
    let end: number | null = null;
    for (; at < chunk.length && end === null; at++) {
      const byte = chunk[at] as number;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) end = at + 1;
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === COLON) colons++;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) this.refuse('Lists and objects are nested too deeply', at);
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) end = at + 1;
    }
    this.inString = inString;
    this.isEscaped = isEscaped;
    this.depth = depth;
    this.colons = colons;
    return end;
  }

  private keep(chunk: Buffer, from: number, to: number): void {
    this.length += to - from;
    if (this.length > (this.place === 'key' ? MAX_KEY_BYTES : MAX_ROW_BYTES))
      this.refuse(`A row of ${this.table || 'the list'} is too long`, 0);
    if (this.place === 'key' || this.isTableWanted) this.parts.push(chunk.subarray(from, to));
  }

  private endKey(at: number): void {
    this.table = String(this.parse(Buffer.concat(this.parts), 0, at));
    this.parts = [];
    if (this.tables.has(this.table)) this.refuse(`${this.table} is there twice`, at);
    this.tables.add(this.table);
    this.isTableWanted = this.isWanted(this.table);
    this.place = 'colon';
  }

  private endUnit(at: number): void {
    this.place = this.wasRow ? 'rows' : 'keys';
    this.mayFollow = this.isBare;
    const { parts } = this;
    this.parts = [];
    if (!this.isTableWanted) return;
    const value = this.parse(
      parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts),
      this.colons,
      at,
    );
    this.batches.push({ table: this.table, rows: [this.wasRow ? (value as JsonRow) : null] });
  }

  private addToRun(from: number, to: number): void {
    this.place = 'rows';
    this.mayFollow = false;
    this.run.push(from, to, this.colons);
  }

  /** Parses the rows together, which is faster than one by one. */
  private endRun(chunk: Buffer): void {
    const { run, table } = this;
    if (run.length === 0) return;
    this.run = [];
    let colons = 0;
    for (let at = 2; at < run.length; at += 3) colons += run[at] as number;
    const rows = parsedRows(chunk.subarray(run[0], run.at(-2)));
    if (rows !== null && countKeys(rows) === colons) {
      this.batches.push({ table, rows });
      return;
    }
    // Finds the row to refuse.
    const single: JsonRow[] = [];
    for (let at = 0; at < run.length; at += 3) {
      const [from, to, own = 0] = run.slice(at, at + 3);
      single.push(this.parse(chunk.subarray(from, to), own, to ?? 0) as JsonRow);
    }
    this.batches.push({ table, rows: single });
  }

  private parse(bytes: Buffer, colons: number, at: number): unknown {
    if (!isUtf8(bytes)) this.refuse('Not UTF-8', at);
    const name = `A row of ${this.table || 'the list'}`;
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      this.refuse(`Not JSON, in ${this.table || 'the list'}`, at);
    }
    if (typeof value === 'object' && value !== null) {
      const keys = countKeys(value);
      if (keys === null) this.refuse(`${name} has an endless number`, at);
      if (keys !== colons) this.refuse(`${name} has a key twice`, at);
    }
    return value;
  }

  private refuse(reason: string, at: number): never {
    throw new ArchiveRefused(this.path, `${reason} (before byte ${this.offset + at + 1}).`);
  }
}

/** Numbers and words end before a byte that belongs to the enclosing value. */
function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= 32;
}

/** The rows of a text with commas between them; null if one is not JSON. */
function parsedRows(bytes: Buffer): JsonRow[] | null {
  if (!isUtf8(bytes)) return null;
  try {
    return JSON.parse(`[${bytes.toString('utf8')}]`) as JsonRow[];
  } catch {
    return null;
  }
}

/** The number of keys in a value, on all levels; null if it contains an infinite number. */
function countKeys(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : null;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) {
      const below = countKeys(each);
      if (below === null) return null;
      count += below;
    }
    return count;
  }
  for (const key in value) {
    const below = countKeys((value as JsonRow)[key]);
    if (below === null) return null;
    count += 1 + below;
  }
  return count;
}
