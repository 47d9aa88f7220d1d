import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { call, type Parameters } from '../connection/call';
import { settings } from '../connection/state';
import { Check, SelectField, type Choice } from '../parts/field';
import { Problem } from '../parts/problem';
import { useSaved } from '../parts/setting';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { saved } from '../words';

/** Where the controls read and save settings. */
interface Source {
  readonly values: () => Readonly<Record<string, unknown>>;
  readonly save: (changes: Parameters) => Promise<unknown>;
  readonly isDisabled: boolean;
}

/** The owner of the settings: the signed-in user by default. */
export const SettingsOf = createContext<Source>({
  values: () => settings.value,
  save: (changes) => call('PATCH', 'settings', changes),
  isDisabled: false,
});

/** Saves personal settings individually, as soon as they change. */
export function useSaving() {
  const task = useTask();
  const save = (changes: Parameters) =>
    void task.run(async () => {
      await call('PATCH', 'settings', changes);
      announce(saved);
    });
  return { save, error: task.error };
}

/** A setting: changes show at once, and are reverted if the server refuses them. */
export function useSetting(name: string) {
  const { values, save, isDisabled } = useContext(SettingsOf);
  const { error, ...setting } = useSaved(values()[name], (value) => save({ [name]: value }));
  return { ...setting, error: error ?? '', disabled: isDisabled };
}

interface SectionProperties {
  readonly title: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}

/** Related settings. */
export function Section({ title, about, children }: SectionProperties) {
  return (
    <section>
      <h2>{title}</h2>
      {about && <p class="about">{about}</p>}
      {children}
    </section>
  );
}

interface CheckProperties {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly error?: string;
  readonly disabled?: boolean;
}

/** A switch that saves immediately, with a hint and an error. */
export function HintedCheck({ error = '', ...check }: CheckProperties) {
  return (
    <div class="field">
      <Check {...check} isSwitch />
      <Problem text={error} />
    </div>
  );
}

interface SettingProperties {
  /** Name in the API. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** A switch for a personal setting. */
export function SettingCheck({ name, label, hint }: SettingProperties) {
  const { value, set, error, disabled } = useSetting(name);
  return <HintedCheck {...{ label, hint, error, disabled }} checked={value === true} onChecked={set} />;
}

/** A list for a personal setting; a current value that is not listed is added. */
export function SettingSelect({
  name,
  label,
  hint,
  choices,
}: SettingProperties & { readonly choices: readonly Choice[] }) {
  const { value, set, error, disabled } = useSetting(name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const isListed = choices.some((each) => each.value === text);
  return (
    <SelectField
      {...{ label, hint, disabled }}
      error={error || undefined}
      value={text}
      choices={isListed ? choices : [...choices, { value: text, label: text }]}
      onValue={(chosen) => set(typeof value === 'number' ? Number(chosen) : chosen)}
    />
  );
}

/** Choices whose values in the API count from 1. */
export const numbered = (labels: readonly string[]): Choice[] =>
  labels.map((label, index) => ({ value: String(index + 1), label }));

/** Choices by their values in the API, in this order. */
export const named = (labels: Readonly<Record<string, string>>, order = Object.keys(labels)): Choice[] =>
  order.map((value) => ({ value, label: labels[value]! }));
