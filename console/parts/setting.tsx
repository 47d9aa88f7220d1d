import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../connection/call';
import type { GroupSetting } from '../connection/records';
import { channels } from '../connection/state';
import * as words from '../words';
import { Check, SelectField, TextArea, TextField } from './field';
import { languageName, LANGUAGES } from './languages';
import { ChosenField, GroupSettingField } from './group-setting-field';
import { LimitSetting } from './limit-setting';
import { Problem } from './problem';
import {
  limitOf,
  UNLIMITED,
  type ControlProperties,
  type Limit,
  type PermissionRule,
  type SettingEntry,
  type SettingWords,
} from './setting-table';
import { announce } from './status';
import { sentenceOf, useTask } from './task';

/**
 * A value that is saved when changed. It is shown at once, and reverted if refused. Changes are sent one by one.
 * @param store sends a value; also receives the one that it replaces
 */
export function useSaved(now: unknown, store: (value: unknown, before: unknown) => Promise<unknown>) {
  const task = useTask();
  const [chosen, setChosen] = useState<{ readonly value: unknown } | null>(null);
  const line = useRef({ last: Promise.resolve(), waiting: 0, known: now });
  // Until its event arrives, the stored value is newer than the page's.
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
      // The page that would show the error is no longer open.
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

interface TextProperties extends ControlProperties {
  readonly kind: 'text' | 'area' | 'number';
  readonly maxLength?: number;
}

/** A text or number field that saves on blur or Enter; Escape restores the saved value. */
function TextSetting({ value, set, kind, ...field }: TextProperties) {
  const [written, setWritten] = useState<string | null>(null);
  const now = typeof value === 'string' ? value : '';
  useEffect(() => {
    // A refused value stays, so that the user can correct it.
    if (!field.error && written !== null && written === now) setWritten(null);
  }, [now, written, field.error]);
  const sent = useRef<string | null>(null);
  const save = () => {
    if (kind === 'number' && written === '') setWritten(null);
    else if (written !== null && written !== now) set((sent.current = written));
  };
  // A refused value is only sent again on request.
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

/** A choice of a channel, or none. */
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
  /** The value as the server sent it. */
  readonly now: unknown;
  readonly save: (changes: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly isDisabled: boolean;
  /** Why the setting is disabled, if only this one is. */
  readonly reason?: string | undefined;
  readonly rule?: PermissionRule | undefined;
  /** Label and value of the organization's limit, for settings that can use it. */
  readonly byDefault?: { readonly label: string; readonly limit: Limit } | undefined;
}

/** A setting with its control. */
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
