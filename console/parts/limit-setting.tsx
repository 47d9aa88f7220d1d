import { useState } from 'preact/hooks';
import * as words from '../words';
import { Confirm } from './dialog';
import { SelectField } from './field';
import {
  inUnits,
  UNITS,
  UNLIMITED,
  USUAL_LIMITS,
  type ControlProperties,
  type Limit,
  type Unit,
} from './setting-table';

/** A duration in words. */
export function shownDuration(count: number, unit: Unit): string {
  return new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** The name of a unit. */
const unitName = (unit: Unit) =>
  new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay: 'long' })
    .formatToParts(2)
    .find(({ type }) => type === 'unit')!.value;

interface LimitProperties extends ControlProperties {
  readonly unit: 'seconds' | 'days';
  /** The value that means the organization's limit, and its label. */
  readonly byDefault?: { readonly value: string; readonly label: string; readonly limit: Limit } | undefined;
  readonly unlimited: string;
}

const CUSTOM = 'custom';

/** A duration: one of the usual ones, a custom number and unit, or unlimited. */
export function LimitSetting({ unit, byDefault, unlimited, value, set, ...field }: LimitProperties) {
  const [isCustom, setCustom] = useState(false);
  const [chosenUnit, setChosenUnit] = useState<Unit>('day');
  const [asked, setAsked] = useState<Limit | null>(null);
  const limit = value as Limit;
  const scale = unit === 'days' ? UNITS.day : 1;
  const usual: readonly number[] = USUAL_LIMITS[unit];
  const isOwn = typeof limit === 'number' && !usual.includes(limit);
  const shown = isCustom || isOwn ? CUSTOM : String(limit);
  const parts = typeof limit === 'number' ? inUnits(limit * scale) : { count: '' as const, unit: chosenUnit };
  const choices = [
    ...(byDefault ? [byDefault] : []),
    ...usual.map((each) => {
      const { count, unit: in_ } = inUnits(each * scale);
      return { value: String(each), label: shownDuration(count, in_) };
    }),
    { value: UNLIMITED, label: unlimited },
    { value: CUSTOM, label: words.settings.custom },
  ];
  // Deletions are permanent, so shorter periods need confirmation.
  const store = (next: Limit) => {
    const isShorter = unit === 'days' && daysOf(next, byDefault) < daysOf(limit, byDefault);
    if (isShorter) setAsked(next);
    else set(next);
  };
  const choose = (chosen: string) => {
    setCustom(chosen === CUSTOM);
    if (chosen !== CUSTOM)
      store(chosen === UNLIMITED || chosen === byDefault?.value ? chosen : Number(chosen));
  };
  const save = (count: number, in_: Unit) => {
    if (Number.isInteger(count) && count > 0) store((count * UNITS[in_]) / scale);
  };
  return (
    <>
      <SelectField {...field} value={shown} choices={choices} onValue={choose} />
      {shown === CUSTOM && (
        <div class="row limit">
          <NumberInput
            label={words.settings.amount(field.label)}
            disabled={field.disabled}
            min={1}
            value={parts.count}
            set={(count) => save(count, unit === 'days' ? 'day' : parts.unit)}
          />
          {unit === 'days' ? (
            <span>{unitName('day')}</span>
          ) : (
            <select
              aria-label={words.settings.unit(field.label)}
              disabled={field.disabled}
              value={parts.unit}
              onChange={({ currentTarget }) => {
                setChosenUnit(currentTarget.value as Unit);
                if (parts.count !== '') save(parts.count, currentTarget.value as Unit);
              }}
            >
              {(Object.keys(UNITS) as Unit[]).map((each) => (
                <option key={each} value={each} selected={each === parts.unit}>
                  {unitName(each)}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      {asked !== null && (
        <Confirm
          title={field.label}
          action={words.settings.shorten}
          isDangerous
          onConfirm={async () => set(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{words.settings.shortenAbout(shownDuration(daysOf(asked, byDefault), 'day'))}</p>
        </Confirm>
      )}
    </>
  );
}

/** A limit in days. */
function daysOf(limit: Limit, byDefault: LimitProperties['byDefault']): number {
  if (typeof limit === 'number') return limit;
  return limit === byDefault?.value ? daysOf(byDefault.limit, undefined) : Infinity;
}

interface NumberProperties {
  readonly label: string;
  readonly disabled: boolean;
  readonly min: number;
  /** Empty if nothing is stored yet. */
  readonly value: number | '';
  readonly set: (value: number) => void;
}

/** A number field that saves on blur or Enter. */
function NumberInput({ label, disabled, min, value, set }: NumberProperties) {
  return (
    <input
      type="number"
      {...{ min, max: 100_000 }}
      aria-label={label}
      disabled={disabled}
      value={value}
      onChange={({ currentTarget }) => {
        if (currentTarget.checkValidity() && currentTarget.value !== '') set(Number(currentTarget.value));
        else currentTarget.reportValidity();
      }}
    />
  );
}
