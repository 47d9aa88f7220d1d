import { useId } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

export interface FieldProperties {
  readonly label: string;
  /** Help text. */
  readonly hint?: ComponentChildren;
  /** Error message. */
  readonly error?: string | undefined;
}

interface FramedControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** Connects a label, a control, its hint and its error. */
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

/** Optional properties of a control. */
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

/** A single-line field, also for email addresses, numbers and passwords, by `type`. */
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

/** A multi-line text field. */
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
  /** Whether the choice is disabled; the field's hint gives the reason. */
  readonly isDisabled?: boolean;
}

interface SelectProperties extends FieldProperties, Pick<ControlProperties, 'name' | 'disabled'> {
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onValue: (value: string) => void;
}

/** A choice from a list. */
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
  /** Help text. */
  readonly hint?: string | undefined;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean | undefined;
  /** Whether it takes effect immediately, instead of with the form. */
  readonly isSwitch?: boolean;
}

/** A checkbox or switch. */
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
