import { codePointLength } from '../../../platform/http/parameters/text';
import { FieldKind, isLink, type FieldOptions } from './field-kinds';
import { ApiError } from '../../../platform/errors/api-error';

/** A value does not fit its field; the sentence says how. */
class InvalidProfileValue extends ApiError {}

/** What checking a value needs to know of its field. */
export interface ValueField {
  readonly name: string;
  readonly type: number;
  /** JSON text. */
  readonly fieldData: string;
}

/** A value as it was sent: people are lists of user IDs, everything else is text. */
export type GivenValue = string | readonly number[];

/** What decides whether a person can be picked. */
export interface PickedPerson {
  readonly isBot: boolean;
  readonly isActive: boolean;
}

const MAX_LENGTHS: Partial<Record<number, number>> = {
  [FieldKind.shortText]: 50,
  [FieldKind.longText]: 500,
  [FieldKind.externalAccount]: 50,
  [FieldKind.pronouns]: 50,
};

/**
 * Checks a value against its field.
 * @param personById finds an account by its ID
 * @returns the text to store
 * @throws InvalidProfileValue
 */
export function checkedValue(
  field: ValueField,
  value: GivenValue,
  personById: (id: number) => PickedPerson | undefined,
): string {
  if (field.type === FieldKind.person) return checkedPeople(field, value, personById);
  if (typeof value !== 'string') throw new InvalidProfileValue(`${field.name} is not a string`);
  const limit = MAX_LENGTHS[field.type];
  if (limit !== undefined && codePointLength(value) > limit) {
    throw new InvalidProfileValue(`${field.name} is too long (limit: ${limit} characters)`);
  }
  if (field.type === FieldKind.date && !isDate(value)) {
    throw new InvalidProfileValue(`${field.name} is not a date`);
  }
  if (field.type === FieldKind.link && !isLink(value)) {
    throw new InvalidProfileValue(`${field.name} is not a URL`);
  }
  if (field.type === FieldKind.options && !Object.hasOwn(optionsOf(field), value)) {
    throw new InvalidProfileValue(`'${value}' is not a valid choice for '${field.name}'.`);
  }
  return value;
}

/** The options of a list. */
function optionsOf(field: Pick<ValueField, 'fieldData'>): FieldOptions {
  return JSON.parse(field.fieldData || '{}') as FieldOptions;
}

function checkedPeople(
  field: ValueField,
  value: GivenValue,
  personById: (id: number) => PickedPerson | undefined,
): string {
  if (typeof value === 'string') throw new InvalidProfileValue(`${field.name} is not a list`);
  for (const id of value) {
    const person = personById(id);
    if (!person) throw new InvalidProfileValue(`Invalid user ID: ${id}`);
    if (!person.isActive) throw new InvalidProfileValue(`User with ID ${id} is deactivated`);
    if (person.isBot) throw new InvalidProfileValue(`User with ID ${id} is a bot`);
  }
  return JSON.stringify(value);
}

/** `YYYY-MM-DD`, and a day that exists. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
