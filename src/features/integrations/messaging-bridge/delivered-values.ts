import { isISO8601 } from 'class-validator';

/** Greater numbers are milliseconds: as seconds they would be in the year 5138. */
const MILLISECONDS_FROM = 100_000_000_000;

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that can be stored and shows something; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').toWellFormed();
  return text.trim() === '' ? null : text;
}

/** A time in UNIX seconds, from any of the formats in which senders write it; undefined for anything else. */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? seconds(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,15}$/.test(value)) return seconds(Number(value));
  const time = value.length <= 40 && isISO8601(value, { strict: true }) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

function seconds(number: number): number {
  return Math.floor(number >= MILLISECONDS_FROM ? number / 1000 : number);
}
