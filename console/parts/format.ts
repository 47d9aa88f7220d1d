import { computed } from '@preact/signals';
import { settings } from '../connection/state';
import * as words from '../words';

const cycle = computed(() => (settings.value['twenty_four_hour_time'] === true ? 'h23' : 'h12'));

const clockOptions = computed(
  () =>
    ({
      hour: cycle.value === 'h23' ? '2-digit' : 'numeric',
      minute: '2-digit',
      hourCycle: cycle.value,
    }) as const,
);

/** The user's formats of times. */
const times = computed(() => {
  const hourCycle = cycle.value;
  return {
    clock: new Intl.DateTimeFormat(words.language, clockOptions.value),
    moment: new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'short', hourCycle }),
    full: new Intl.DateTimeFormat(words.language, { dateStyle: 'full', timeStyle: 'short', hourCycle }),
  };
});
const weekdays = new Intl.DateTimeFormat(words.language, { weekday: 'long' });
const dates = new Intl.DateTimeFormat(words.language, { month: 'short', day: 'numeric' });
const datesOfYears = new Intl.DateTimeFormat(words.language, { dateStyle: 'medium' });
const numbers = new Intl.NumberFormat(words.language, { maximumFractionDigits: 1 });
const ago = new Intl.RelativeTimeFormat(words.language, { numeric: 'auto' });

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** @param seconds UNIX time */
export function shownTime(seconds: number): string {
  return times.value.moment.format(seconds * 1000);
}

/** The time of day. */
export function shownClock(at: Date): string {
  return times.value.clock.format(at);
}

/** A full date and time with the day of the week. */
export function shownMoment(at: Date): string {
  return times.value.full.format(at);
}

/** The current time of day in another zone; null if this browser does not know the zone. */
export function clockIn(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat(words.language, { ...clockOptions.value, timeZone }).format();
  } catch {
    return null;
  }
}

/** The age of something in words. @param seconds UNIX time */
export function shownAge(seconds: number): string {
  const past = Date.now() / 1000 - seconds;
  if (past < 5400) return ago.format(-Math.round(past / 60), 'minute');
  if (past < 129_600) return ago.format(-Math.round(past / 3600), 'hour');
  return ago.format(-Math.round(past / 86_400), 'day');
}

/** A short date or time for lists. @param seconds UNIX time */
export function shownWhen(seconds: number): string {
  const then = new Date(seconds * 1000);
  const now = new Date();
  const days = Math.round(
    (new Date(now).setHours(0, 0, 0, 0) - new Date(then).setHours(0, 0, 0, 0)) / 86_400_000,
  );
  if (days <= 0) return shownClock(then);
  if (days === 1) return words.yesterday;
  if (days < 7) return weekdays.format(then);
  return (then.getFullYear() === now.getFullYear() ? dates : datesOfYears).format(then);
}

/** A number, or a dash if unknown. */
export function shownNumber(value: number | null): string {
  return value === null ? '–' : numbers.format(value);
}

/** A size in a suitable unit. */
export function shownBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)));
  return `${numbers.format(bytes / 1000 ** power)} ${UNITS[power]}`;
}
