import { isURL } from 'class-validator';
import { ApiError } from '../../../platform/errors/api-error';
import { codePointLength } from '../../../platform/http/parameters/text';

/** The declaration of a field is invalid; the text explains why. */
export class InvalidProfileField extends ApiError {}

/** Kinds of custom profile fields, by their numbers on the wire. */
export const FieldKind = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  person: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;

/** The number of a kind. */
export type FieldKind = (typeof FieldKind)[keyof typeof FieldKind];

/** The options of a dropdown, or the data of an external account. */
export type FieldData = Record<string, unknown>;

/** The options of a dropdown by key. */
type FieldOptions = Record<string, { text: string; order: string }>;

/** Placeholder for the person's value in the URL of an external account. */
const USERNAME = '%(username)s';

/** An external account that organizations can use without defining it. */
export interface KnownExternalAccount {
  /** Name of the site. */
  readonly text: string;
  readonly name: string;
  readonly hint: string;
  readonly url_pattern: string;
}

/** External accounts that need no definition, only their name in `subtype`. */
export const KNOWN_EXTERNAL_ACCOUNTS: Readonly<Record<string, KnownExternalAccount>> = {
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: `https://github.com/${USERNAME}`,
  },
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: `https://twitter.com/${USERNAME}`,
  },
};

/** @throws InvalidProfileField */
export function checkedKind(kind: number): FieldKind {
  const found = Object.values(FieldKind).find((known) => known === kind);
  if (found === undefined) throw new InvalidProfileField('Invalid field type.');
  return found;
}

/** Whether values of this kind are Markdown, sent along with their HTML. */
export function isMarkdownKind(kind: number): boolean {
  return kind === FieldKind.shortText || kind === FieldKind.longText;
}

/** The one of {@link KNOWN_EXTERNAL_ACCOUNTS} that a field names; their names are fixed. */
export function knownExternalAccount(
  kind: number,
  data: FieldData,
): { name: string; hint: string } | undefined {
  if (kind !== FieldKind.externalAccount || typeof data['subtype'] !== 'string') return undefined;
  return Object.hasOwn(KNOWN_EXTERNAL_ACCOUNTS, data['subtype'])
    ? KNOWN_EXTERNAL_ACCOUNTS[data['subtype']]
    : undefined;
}

/**
 * Checks what a field of this kind needs; of kinds that need nothing, everything is dropped.
 * @throws InvalidProfileField
 */
export function checkedFieldData(kind: FieldKind, data: FieldData): FieldData {
  if (kind === FieldKind.options) return checkedOptions(data);
  if (kind === FieldKind.externalAccount) return checkedExternalAccount(data);
  return {};
}

/** Whether the summary of a profile may show this kind. */
export function fitsSummary(kind: FieldKind): boolean {
  return kind !== FieldKind.person;
}

/** Whether clients may find people by fields of this kind. */
export function fitsMatching(kind: FieldKind): boolean {
  return kind === FieldKind.shortText || kind === FieldKind.externalAccount;
}

function checkedOptions(data: FieldData): FieldOptions {
  const options: FieldOptions = {};
  const texts = new Set<string>();
  for (const [key, option] of Object.entries(data)) {
    if (key.trim() === '') throw new InvalidProfileField("'value' cannot be blank.");
    const given = asDict(option);
    const text = requiredText(given, 'text');
    options[key] = { text, order: requiredText(given, 'order') };
    if (texts.has(text)) throw new InvalidProfileField('Field must not have duplicate choices.');
    texts.add(text);
  }
  if (texts.size === 0) throw new InvalidProfileField('Field must have at least one choice.');
  return options;
}

function checkedExternalAccount(data: FieldData): FieldData {
  const subtype = requiredText(data, 'subtype');
  if (Object.hasOwn(KNOWN_EXTERNAL_ACCOUNTS, subtype)) {
    requireKeys(data, ['subtype']);
    return { subtype };
  }
  if (subtype !== 'custom') throw new InvalidProfileField('Invalid external account type');
  const pattern = data['url_pattern'];
  if (pattern === undefined) throw new InvalidProfileField('Custom external account must define URL pattern');
  if (typeof pattern !== 'string') throw new InvalidProfileField('field_data["url_pattern"] is not a string');
  if (pattern.split(USERNAME).length !== 2) {
    throw new InvalidProfileField(`URL pattern must contain '${USERNAME}'.`);
  }
  if (!isLink(pattern.replace(USERNAME, 'username'))) {
    throw new InvalidProfileField('field_data["url_pattern"] is not a URL');
  }
  requireKeys(data, ['subtype', 'url_pattern']);
  return { subtype, url_pattern: pattern };
}

/** Keys without an effect are refused: the client expects one. */
function requireKeys(data: FieldData, known: readonly string[]): void {
  const unknown = Object.keys(data).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new InvalidProfileField(`Unexpected arguments: ${unknown.join(', ')}`);
}

/** Whether a text is the address of a site, which a client may open. */
function isLink(text: string): boolean {
  return isURL(text, { protocols: ['http', 'https'], require_protocol: true, require_tld: false });
}

function asDict(value: unknown): FieldData {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidProfileField('field_data is not a dict');
  }
  return value as FieldData;
}

function requiredText(data: FieldData, key: string): string {
  if (!Object.hasOwn(data, key)) throw new InvalidProfileField(`${key} key is missing from field_data`);
  const text = data[key];
  if (typeof text !== 'string') throw new InvalidProfileField(`field_data["${key}"] is not a string`);
  if (text.trim() === '') throw new InvalidProfileField(`field_data["${key}"] cannot be blank.`);
  return text;
}

/** A value does not fit its field; the sentence says how. */
class InvalidProfileValue extends ApiError {}

/** What checking a value needs to know of its field. */
interface ValueField {
  readonly name: string;
  readonly type: number;
  /** JSON text. */
  readonly fieldData: string;
}

/** A value as it was sent: people are lists of user IDs, everything else is text. */
export type GivenValue = string | readonly number[];

/** What decides whether a person can be picked. */
interface PickedPerson {
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
