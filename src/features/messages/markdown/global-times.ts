import type MarkdownIt from 'markdown-it';
import { parseIsoTime } from './iso-time';
import { pushElement } from './elements';

const TIME = /<time:([^>\n]{1,100})>/y;
const UNIX_SECONDS = /^\d{9,11}(?:\.\d+)?$/;

/** Plugin: `<time:2026-01-01T10:00:00+01:00>`, which every reader sees in the own time zone. */
export function globalTimes(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'global_time', (inline, silent) => {
    if (inline.src[inline.pos] !== '<') return false;
    TIME.lastIndex = inline.pos;
    const match = TIME.exec(inline.src);
    if (!match || TIME.lastIndex > inline.posMax) return false;
    if (!silent) {
      const time = parseTime(match[1]!);
      if (time) pushElement(inline, 'time', { datetime: toWire(time) }, match[1]!);
      else pushElement(inline, 'span', { class: 'timestamp-error' }, `Invalid time format: ${match[1]!}`);
    }
    inline.pos += match[0].length;
    return true;
  });
}

/** ISO 8601, or seconds since 1970. */
function parseTime(text: string): Date | undefined {
  const trimmed = text.trim();
  return UNIX_SECONDS.test(trimmed) ? new Date(Number(trimmed) * 1000) : parseIsoTime(trimmed);
}

function toWire(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
