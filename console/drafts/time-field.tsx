import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/field';
import { shownClock } from '../parts/format';
import { later as words } from './words';

type TimeName = keyof typeof words.times;

const inSeconds = (seconds: number) => Math.round(Date.now() / 1000) + seconds;

/** An hour of the day, some days from now, in UNIX seconds. */
function onDay(days: number, hour: number): number {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return Math.round(date.setHours(hour, 0, 0, 0) / 1000);
}

const TIMES: Readonly<Record<Exclude<TimeName, 'custom'>, () => number>> = {
  hour: () => inSeconds(3600),
  hours: () => inSeconds(3 * 3600),
  today: () => onDay(0, 17),
  tomorrow: () => onDay(1, 9),
  // On a Monday, a week later instead of the same day.
  monday: () => onDay((8 - new Date().getDay()) % 7 || 7, 9),
};

/** A time in the format of the field: local to this device, without a zone. */
function fieldValue(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.valueOf() - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 16);
}

/** A choice of suggested times, or a custom one. @param first initial time in UNIX seconds, if there is one */
export function useTime(first?: number) {
  const [name, setName] = useState<TimeName>(first === undefined ? 'tomorrow' : 'custom');
  const [custom, setCustom] = useState(fieldValue(first ?? TIMES.tomorrow()));
  const isOffered = (value: string) => value !== 'today' || TIMES.today() > inSeconds(300);
  const choices = Object.entries(words.times)
    .filter(([value]) => isOffered(value))
    .map(([value, label]) => {
      const at = () => new Date(1000 * TIMES[value as keyof typeof TIMES]());
      return { value, label: typeof label === 'string' ? label : label(shownClock(at())) };
    });
  return {
    /** UNIX seconds. */
    seconds: () => (name === 'custom' ? Math.round(new Date(custom).valueOf() / 1000) : TIMES[name]()),
    fields: (
      <>
        <SelectField
          label={words.when}
          value={name}
          choices={choices}
          onValue={(value) => setName(value as TimeName)}
        />
        {name === 'custom' && (
          <TextField label={words.custom} type="datetime-local" required value={custom} onValue={setCustom} />
        )}
      </>
    ),
  };
}
