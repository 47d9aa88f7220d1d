const moments = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'short' });
const numbers = new Intl.NumberFormat([], { maximumFractionDigits: 1 });
const ago = new Intl.RelativeTimeFormat([], { numeric: 'auto' });

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** @param seconds UNIX time */
export function shownTime(seconds: number): string {
  return moments.format(seconds * 1000);
}

/** How long ago something was. @param seconds UNIX time */
export function shownAge(seconds: number): string {
  const past = Date.now() / 1000 - seconds;
  if (past < 5400) return ago.format(-Math.round(past / 60), 'minute');
  if (past < 129_600) return ago.format(-Math.round(past / 3600), 'hour');
  return ago.format(-Math.round(past / 86_400), 'day');
}

/** A number, or a dash where it is not known. */
export function shownNumber(value: number | null): string {
  return value === null ? '–' : numbers.format(value);
}

/** A size in the largest unit of which there is one. */
export function shownBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)));
  return `${numbers.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}
