import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../connection/call';
import type { GroupSetting } from '../connection/records';
import { channels } from '../connection/state';
import * as words from '../words';
import { Confirm } from './dialog';
import { Check, SelectField, TextArea, TextField } from './field';
import { languageName, LANGUAGES } from './languages';
import { ChosenField, GroupSettingField } from './group-setting-field';
import { Problem } from './problem';
import {
  inUnits,
  limitOf,
  UNITS,
  UNLIMITED,
  USUAL_LIMITS,
  type Limit,
  type PermissionRule,
  type SettingEntry,
  type SettingWords,
  type Unit,
} from './setting-table';
import { announce } from './status';
import { sentenceOf, useTask } from './task';

/**
 * A value that is saved as soon as it is changed: what was chosen shows at once, and what was before again where the
 * server refuses it. Changes are sent one after the other.
 * @param store sends a value; it is given the one that it replaces
 */
export function useSaved(now: unknown, store: (value: unknown, before: unknown) => Promise<unknown>) {
  const task = useTask();
  const [chosen, setChosen] = useState<{ readonly value: unknown } | null>(null);
  const line = useRef({ last: Promise.resolve(), waiting: 0, known: now });
  // Until its event arrives, what was stored is newer than what the page knows.
  if (line.current.waiting === 0 && !chosen) line.current.known = now;
  const settled = JSON.stringify(now);
  useEffect(() => {
    if (line.current.waiting === 0) setChosen(null);
  }, [settled, task.error]);
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const send = async (value: unknown) => {
    try {
      await store(value, line.current.known);
      line.current.known = value;
    } catch (error) {
      // The page that would show it is left.
      if (!isShown.current) announce(sentenceOf(error));
      if (!(error instanceof Refusal) || error.code !== 'EXPECTATION_MISMATCH') throw error;
      throw new Refusal(words.settings.changed, error.status, error.code);
    } finally {
      line.current.waiting--;
    }
    announce(words.saved);
  };
  const set = (value: unknown) => {
    setChosen({ value });
    line.current.waiting++;
    line.current.last = line.current.last.then(async () => void (await task.run(() => send(value))));
  };
  return { value: chosen ? chosen.value : now, set, error: task.error || undefined };
}

interface ControlProperties {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

interface TextProperties extends ControlProperties {
  readonly kind: 'text' | 'area' | 'number';
  readonly maxLength?: number;
}

/** A text or number, saved when one leaves it or presses Enter; Escape brings back what was. */
function TextSetting({ value, set, kind, ...field }: TextProperties) {
  const [written, setWritten] = useState<string | null>(null);
  const now = typeof value === 'string' ? value : '';
  useEffect(() => {
    // What was refused stays, to be corrected.
    if (!field.error && written !== null && written === now) setWritten(null);
  }, [now, written, field.error]);
  const sent = useRef<string | null>(null);
  const save = () => {
    if (kind === 'number' && written === '') setWritten(null);
    else if (written !== null && written !== now) set((sent.current = written));
  };
  // What was refused is sent again when one asks for it.
  const leave = () => {
    if (!field.error || written !== sent.current) save();
  };
  return (
    <form
      onSubmit={save}
      onFocusOut={leave}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setWritten(null);
      }}
    >
      {kind === 'area' ? (
        <TextArea {...field} rows={3} value={written ?? now} onValue={setWritten} />
      ) : (
        <TextField {...field} type={kind} value={written ?? now} onValue={setWritten} />
      )}
    </form>
  );
}

/** A duration in words. */
export function shownDuration(count: number, unit: Unit): string {
  return new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** What a number of this unit is called. */
const unitName = (unit: Unit) =>
  new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay: 'long' })
    .formatToParts(2)
    .find(({ type }) => type === 'unit')!.value;

interface LimitProperties extends ControlProperties {
  readonly unit: 'seconds' | 'days';
  /** The value that stands for the organization's, and what it is called. */
  readonly byDefault?: { readonly value: string; readonly label: string; readonly limit: Limit } | undefined;
  readonly unlimited: string;
}

const CUSTOM = 'custom';

/** How long: one of the usual durations, one's own with its unit, or without a limit. */
function LimitSetting({ unit, byDefault, unlimited, value, set, ...field }: LimitProperties) {
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
  // What is deleted does not come back, so it is asked for.
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

/** Days that a limit stands for. */
function daysOf(limit: Limit, byDefault: LimitProperties['byDefault']): number {
  if (typeof limit === 'number') return limit;
  return limit === byDefault?.value ? daysOf(byDefault.limit, undefined) : Infinity;
}

interface NumberProperties {
  readonly label: string;
  readonly disabled: boolean;
  readonly min: number;
  /** Empty where nothing is stored yet. */
  readonly value: number | '';
  readonly set: (value: number) => void;
}

/** A number, saved when one leaves it or presses Enter. */
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

/** A channel, or none. */
function ChannelSetting({ value, set, isPrivate, ...field }: ControlProperties & { isPrivate: boolean }) {
  const id = Number(value);
  const name = id > 0 ? `#${channels.value.get(id)?.name ?? id}` : words.none;
  const picks = () =>
    [...channels.value.values()]
      .filter((each) => !each.is_archived && each.stream_id !== id && (!isPrivate || each.invite_only))
      .map((each) => ({ id: String(each.stream_id), label: `#${each.name}` }))
      .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <ChosenField
      {...field}
      picks={picks}
      placeholder={words.settings.chooseChannel}
      onPick={(picked) => set(Number(picked))}
      chosen={[
        { key: name, name: <bdi>{name}</bdi>, label: name, onDrop: id > 0 ? () => set(-1) : undefined },
      ]}
    />
  );
}

interface SettingProperties {
  readonly entry: SettingEntry;
  readonly words: SettingWords;
  /** The value, as the server tells it. */
  readonly now: unknown;
  readonly save: (changes: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly isDisabled: boolean;
  /** Why, where it is for this one alone. */
  readonly reason?: string | undefined;
  readonly rule?: PermissionRule | undefined;
  /** What the value of the organization is called, and what it is, where the setting can go by that. */
  readonly byDefault?: { readonly label: string; readonly limit: Limit } | undefined;
}

/** One setting, with the control of its kind. */
export function Setting(properties: SettingProperties) {
  const { entry, words: texts, now, save, isDisabled, reason, rule, byDefault } = properties;
  const { name, control } = entry;
  const defaultWord = control.kind === 'limit' ? control.default : undefined;
  const { value, set, error } = useSaved(
    control.kind === 'limit' ? limitOf(now, defaultWord) : now,
    (next, before) => save({ [name]: control.kind === 'group' ? { new: next, old: before } : next }),
  );
  const hint = [texts.hint, reason].filter(Boolean).join(' ') || undefined;
  const field = { label: texts.label, hint, error, disabled: isDisabled };
  const common = { ...field, value, set };
  switch (control.kind) {
    case 'switch':
      return (
        <div class="field">
          <Check
            {...{ hint }}
            label={texts.label}
            disabled={isDisabled}
            isSwitch
            checked={(value === true) !== (control.isInverted === true)}
            onChecked={(isOn) => set(isOn !== (control.isInverted === true))}
          />
          <Problem text={error ?? ''} />
        </div>
      );
    case 'text':
    case 'area':
      return <TextSetting {...common} kind={control.kind} maxLength={control.maxLength} />;
    case 'days':
      return (
        <TextSetting
          {...common}
          kind="number"
          value={String(value)}
          set={(written) => set(Number(written))}
        />
      );
    case 'choice':
      return (
        <SelectField
          {...field}
          value={String(value)}
          choices={control.values.map((each) => ({
            value: String(each),
            label: texts.choices?.[String(each)] ?? String(each),
          }))}
          onValue={(chosen) => set(control.values.find((each) => String(each) === chosen))}
        />
      );
    case 'limit':
      return (
        <LimitSetting
          {...common}
          unit={control.unit}
          unlimited={texts.choices?.[UNLIMITED] ?? words.settings.unlimited}
          byDefault={defaultWord && byDefault ? { ...byDefault, value: defaultWord } : undefined}
        />
      );
    case 'group':
      return <GroupSettingField {...field} {...{ rule }} value={value as GroupSetting} onValue={set} />;
    case 'channel':
      return <ChannelSetting {...common} isPrivate={control.isPrivate === true} />;
    case 'language':
      return (
        <SelectField
          {...field}
          value={String(value)}
          choices={[...new Set([...LANGUAGES, String(value)])].map((code) => ({
            value: code,
            label: languageName(code),
          }))}
          onValue={set}
        />
      );
  }
}
