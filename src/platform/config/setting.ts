import 'reflect-metadata';
import { Expose, Transform, type TransformFnParams } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { SettingKind } from './setting-kinds';

/** The environment by variable, with defaults filled in. */
export type SettingTexts = Readonly<Record<string, string | null>>;

/** What a {@link Setting} declares about a variable, besides its name and kind. */
export interface SettingOptions {
  /** Heading under which the generated page lists the variable. */
  section: string;
  /** Sentences for the operator, in Markdown. */
  about: string;
  /**
   * In the operator's notation; `null` leaves the field null. A function receives the texts of the settings declared
   * above it.
   */
  default: string | null | ((texts: SettingTexts) => string);
  /** Shown in the documentation instead of a default that is null or computed. */
  defaultMeans?: string;
  /** The value must never be shown, not even in messages. */
  secret?: boolean;
}

/** One documented variable, as recorded by the decorator. */
export interface SettingDefinition extends SettingOptions {
  property: string;
  variable: string;
  /** Markdown; completes the sentence "it must be ...". */
  allowed: string;
}

/** Placeholder for a text that its kind rejected, until validation turns it into a message. */
class RefusedText {
  constructor(readonly text: string) {}
}

const definitionsKey = Symbol('settings');

/**
 * Declares a field as the value of one environment variable. Decoding, validation, the error message and the
 * documentation are all derived from this one line.
 */
export function Setting<T>(
  variable: string,
  kind: SettingKind<T>,
  options: SettingOptions,
): PropertyDecorator {
  const decode = ({ value }: TransformFnParams): T | RefusedText | null => {
    const text = value as string | null;
    if (text === null) return null;
    const parsed = kind.parse(text);
    return parsed === undefined ? new RefusedText(text) : parsed;
  };
  const refuse = (problem?: ValidationArguments): string => {
    const { text } = problem?.value as RefusedText;
    const found = options.secret ? 'has a value that is not allowed:' : `is ${shown(text)}, but`;
    return `${variable} ${found} it must be ${kind.allowed.replaceAll('`', '"')}.`;
  };
  return (target, property) => {
    Expose({ name: variable })(target, property);
    Transform(decode)(target, property);
    ValidateBy({
      name: 'setting',
      validator: {
        validate: (value: unknown) => !(value instanceof RefusedText),
        defaultMessage: refuse,
      },
    })(target, property);
    const definition = { ...options, property: String(property), variable, allowed: kind.allowed };
    Reflect.defineMetadata(definitionsKey, [...settingsOf(target), definition], target);
  };
}

/** The settings declared on a class, in order of declaration. */
export function settingsOf(prototype: object): readonly SettingDefinition[] {
  return (Reflect.getMetadata(definitionsKey, prototype) as SettingDefinition[] | undefined) ?? [];
}

/** A value as shown in messages: quoted, shortened, and without passwords. */
function shown(text: string): string {
  const masked = text.replace(/\/\/[^/@]*@/, '//***@');
  return JSON.stringify(masked.length > 80 ? `${masked.slice(0, 80)}...` : masked);
}
