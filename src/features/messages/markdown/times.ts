import type MarkdownIt from 'markdown-it';
import { pushElement } from './render-context';

const TIME = /<time:([^>\n]{1,100})>/y;
const UNIX_SECONDS = /^(?:\d{9,11}|-\d{5,11})(?:\.\d+)?$/;

/**
 * Plugin: `<time:2026-01-01T10:00:00+01:00>`, shown to each reader in their own time zone. An invalid time stays text,
 * including its markup.
 */
export function globalTimes(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'global_time', (inline, silent) => {
    if (inline.src[inline.pos] !== '<') return false;
    TIME.lastIndex = inline.pos;
    const match = TIME.exec(inline.src);
    if (!match || TIME.lastIndex > inline.posMax) return false;
    const time = parseTime(match[1]!);
    if (!silent) {
      if (time) pushElement(inline, 'time', { datetime: toWire(time) }, match[1]!);
      else inline.pending += match[0];
    }
    inline.pos += match[0].length;
    return true;
  });
}

/** ISO 8601, or seconds since 1970, negative before it. */
function parseTime(text: string): Date | undefined {
  const trimmed = text.trim();
  return UNIX_SECONDS.test(trimmed) ? new Date(Number(trimmed) * 1000) : parseIsoTime(trimmed);
}

function toWire(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

const ISO_DATE =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)? ?(?:Z|UTC|(?<sign>[+-])(?<offsetHour>\d\d):?(?<offsetMinute>\d\d))?)?$/i;

/** Parses a date, or a date with a time, in the usual variants of ISO 8601; UTC if there is no zone. */
export function parseIsoTime(text: string): Date | undefined {
  const parts = ISO_DATE.exec(text)?.groups;
  if (!parts) return undefined;

  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
  const [hour, minute, second] = [
    Number(parts.hour ?? 0),
    Number(parts.minute ?? 0),
    Number(parts.second ?? 0),
  ];
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  // Dates that do not exist, such as February 30, roll over instead of failing.
  const isReal =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    local.getUTCMinutes() === minute &&
    local.getUTCSeconds() === second;
  if (!isReal || year === 0) return undefined;

  const offsetMinutes = Number(parts.offsetHour ?? 0) * 60 + Number(parts.offsetMinute ?? 0);
  const east = parts.sign === '-' ? -offsetMinutes : offsetMinutes;
  const time = new Date(local.getTime() - east * 60_000);
  return time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : undefined;
}
