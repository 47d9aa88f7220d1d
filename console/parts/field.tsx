import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

export interface FieldProperties {
  readonly label: string;
  /** What one should know before filling it in. */
  readonly hint?: ComponentChildren;
  /** Why it cannot stay as it is. */
  readonly error?: string | undefined;
}

interface FramedControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A label, a control, its hint and its error, tied together. */
export function Framed({
  label,
  hint,
  error,
  control,
}: FieldProperties & { readonly control: (attributes: FramedControl) => ComponentChildren }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** What a control may be told besides. */
interface ControlProperties {
  readonly name?: string;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly disabled?: boolean | undefined;
  readonly maxLength?: number;
}

interface TextProperties extends FieldProperties, ControlProperties {
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url' | 'date' | 'datetime-local';
  readonly min?: number;
  readonly max?: number;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** One line of text: also for addresses, numbers, passwords, by `type`. */
export function TextField({ label, hint, error, value, onValue, type = 'text', ...input }: TextProperties) {
  return (
    <Framed
      {...{ label, hint, error }}
      control={(framed) => (
        <input
          {...input}
          {...framed}
          {...({ type } as object)}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    />
  );
}

interface AreaProperties extends FieldProperties, ControlProperties {
  readonly rows?: number;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Several lines of text. */
export function TextArea({ label, hint, error, value, onValue, ...area }: AreaProperties) {
  return (
    <Framed
      {...{ label, hint, error }}
      control={(framed) => (
        <textarea
          {...area}
          {...framed}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    />
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Whether it cannot be chosen; the hint of the field says why. */
  readonly isDisabled?: boolean;
}

interface SelectProperties extends FieldProperties, Pick<ControlProperties, 'name' | 'disabled'> {
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onValue: (value: string) => void;
}

/** One of some. */
export function SelectField({ label, hint, error, value, choices, onValue, ...select }: SelectProperties) {
  return (
    <Framed
      {...{ label, hint, error }}
      control={(framed) => (
        <select
          {...select}
          {...framed}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {choices.map((choice) => (
            <option
              key={choice.value}
              value={choice.value}
              selected={choice.value === value}
              disabled={choice.isDisabled}
            >
              {choice.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

interface CheckProperties {
  readonly label: ComponentChildren;
  /** What one should know of it. */
  readonly hint?: string | undefined;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean | undefined;
  /** Whether it takes effect at once, rather than with the rest of a form. */
  readonly isSwitch?: boolean;
}

/** Yes or no. */
export function Check({ label, hint, checked, onChecked, disabled, isSwitch }: CheckProperties) {
  const id = useId();
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          role={isSwitch ? 'switch' : undefined}
          checked={checked}
          disabled={disabled}
          aria-describedby={hint && id}
          onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p class="hint checked" id={id}>
          {hint}
        </p>
      )}
    </>
  );
}
