import type { JsonRow } from '../../../../platform/archives/json-rows';

/** A row cannot be imported. The message gives the reason. */
export class RowUnusable extends Error {}

/** The last second of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** A row of an archive. Its values are not trusted until they have been checked. */
export class ArchiveRow {
  constructor(
    readonly table: string,
    private readonly raw: JsonRow,
  ) {}

  /** Identifies the row in the ledger. */
  get name(): number | string | null {
    const { id, path, source_id: source } = this.raw;
    // Rows of converted archives name their origin.
    if (typeof source === 'string') return source.slice(0, 200);
    if (typeof id === 'number') return id;
    return typeof path === 'string' ? path.slice(0, 200) : null;
  }

  has(field: string): boolean {
    return this.raw[field] !== undefined && this.raw[field] !== null;
  }

  value(field: string): unknown {
    return this.raw[field];
  }

  /** A non-negative integer, such as an ID. */
  id(field = 'id'): number {
    const value = this.raw[field];
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw new RowUnusable(`"${field}" is no ID.`);
  }

  optionalId(field: string): number | null {
    return this.has(field) ? this.id(field) : null;
  }

  /** An integer within bounds; `otherwise` if the value is anything else. */
  number(field: string, { min, max, otherwise }: { min: number; max: number; otherwise: number }): number {
    const value = this.raw[field];
    const isUsable = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    return isUsable ? (value as number) : otherwise;
  }

  /** Text without characters that databases reject. */
  text(field: string): string {
    const value = this.raw[field];
    if (typeof value !== 'string') throw new RowUnusable(`"${field}" is no text.`);
    return value.toWellFormed().replaceAll('\0', '');
  }

  optionalText(field: string): string | null {
    return this.has(field) ? this.text(field) : null;
  }

  flag(field: string, otherwise = false): boolean {
    const value = this.raw[field];
    return typeof value === 'boolean' ? value : otherwise;
  }

  optionalFlag(field: string): boolean | null {
    const value = this.raw[field];
    return typeof value === 'boolean' ? value : null;
  }

  /** UNIX seconds, with fractions as in the archive. */
  time(field: string): number {
    const value = this.raw[field];
    if (typeof value === 'number' && value >= 0 && value <= MAX_SECONDS) return value;
    throw new RowUnusable(`"${field}" is no time.`);
  }

  /** Whole UNIX seconds. */
  seconds(field: string): number {
    return Math.floor(this.time(field));
  }

  optionalSeconds(field: string): number | null {
    return this.has(field) ? this.seconds(field) : null;
  }

  /** IDs of a list; empty if there is no list. */
  ids(field: string): number[] {
    const value = this.raw[field];
    if (!Array.isArray(value)) return [];
    return value.filter((each): each is number => Number.isSafeInteger(each));
  }
}

/** Truncates text to a number of code points. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return Array.from(text).slice(0, most).join('');
}
