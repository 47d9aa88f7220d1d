import type IcalLibrary from 'ical.js' with { 'resolution-mode': 'import' };

// The package is an ES module with a build for CommonJS, and its types speak of the first alone.
const ical = require('ical.js') as typeof IcalLibrary;

/** Who is on call at a moment. */
export interface Turn {
  /** Addresses in small letters, each once. */
  readonly addresses: readonly string[];
  /** UNIX seconds: when that may change; null where the calendar has nothing after it. */
  readonly until: number | null;
}

interface Shift {
  readonly start: number;
  readonly end: number;
  readonly addresses: readonly string[];
}

/** Nothing that begins later is looked at. */
const AHEAD_SECONDS = 400 * 86_400;
/** Of one event that repeats. */
const MOST_OCCURRENCES = 20_000;
const ADDRESS = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;

/**
 * Reads a calendar: whoever attends an event, or is named in its title by address, is on call while it lasts. Times without
 * a zone are UTC.
 * @param now UNIX seconds
 * @throws Error for a text that is no calendar
 */
export function turnAt(text: string, now: number): Turn {
  const shifts = shiftsOf(text, now);
  const current = shifts.filter(({ start, end }) => start <= now && now < end);
  const changes = shifts.flatMap(({ start, end }) => [start, end]).filter((time) => time > now);
  return {
    addresses: [...new Set(current.flatMap(({ addresses }) => addresses))],
    until: changes.length > 0 ? Math.min(...changes) : null,
  };
}

function shiftsOf(text: string, now: number): Shift[] {
  const calendar = new ical.Component(ical.parse(text) as unknown[]);
  const events = calendar.getAllSubcomponents('vevent').map((each) => new ical.Event(each));
  const exceptions = events.filter((event) => event.isRecurrenceException());
  return events
    .filter((event) => !event.isRecurrenceException())
    .flatMap((event) => {
      for (const exception of exceptions) if (exception.uid === event.uid) event.relateException(exception);
      return shiftsOfEvent(event, now);
    });
}

function shiftsOfEvent(event: IcalLibrary.Event, now: number): Shift[] {
  if (!event.isRecurring()) return [shiftOf(event, event.startDate, event.endDate)];
  const shifts: Shift[] = [];
  const occurrences = event.iterator();
  for (let left = MOST_OCCURRENCES; left > 0; left--) {
    const next = occurrences.next() as IcalLibrary.Time | undefined;
    if (!next || next.toUnixTime() > now + AHEAD_SECONDS) break;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    if (endDate.toUnixTime() <= now) continue;
    shifts.push(shiftOf(item, startDate, endDate));
    // One that is over, one that is on, and the next few are all that matters.
    if (shifts.length > 100) break;
  }
  return shifts;
}

function shiftOf(event: IcalLibrary.Event, start: IcalLibrary.Time, end: IcalLibrary.Time): Shift {
  const isCancelled = event.component.getFirstPropertyValue('status') === 'CANCELLED';
  const attendees = event.attendees.map((attendee) =>
    String(attendee.getFirstValue()).replace(/^mailto:/i, ''),
  );
  const named = attendees.length > 0 ? attendees : (event.summary?.match(ADDRESS) ?? []);
  return {
    start: start.toUnixTime(),
    end: end.toUnixTime(),
    addresses: isCancelled ? [] : named.map((address) => address.trim().toLowerCase()),
  };
}
