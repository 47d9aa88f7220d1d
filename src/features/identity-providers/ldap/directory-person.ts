import type { Entry } from 'ldapts';
import type { LdapDirectory } from '../../../platform/config/ldap-settings';

/** Groups of an entry, where the server lists them with it. */
const GROUPS = 'memberOf';

/** When the password was changed: in OpenLDAP with password policies, as a time; in Active Directory, in tenths of microseconds. */
const CHANGED = 'pwdChangedTime';
const LAST_SET = 'pwdLastSet';

/** From 1601, where Active Directory begins to count, to 1970. */
const SECONDS_BEFORE_UNIX = 11_644_473_600;

/** The bit of accounts that Active Directory has disabled. */
const DISABLED_BIT = 2;

type Attributes = Pick<
  LdapDirectory,
  'id_attribute' | 'email_attribute' | 'name_attribute' | 'disabled_attribute' | 'groups'
>;

/** A person of the directory. */
export interface DirectoryPerson {
  readonly dn: string;
  /** Never changes, and is never given to another entry. */
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly isDisabled: boolean;
  /** UNIX seconds; null where the directory does not say. */
  readonly passwordChangedAt: number | null;
  /** Keys of the mapping of groups. */
  readonly groups: ReadonlySet<string>;
}

/** The attributes to ask for. */
export function attributesOf(settings: Attributes): string[] {
  const { id_attribute, email_attribute, name_attribute, disabled_attribute } = settings;
  return [
    id_attribute,
    email_attribute,
    name_attribute,
    GROUPS,
    CHANGED,
    LAST_SET,
    ...(disabled_attribute ? [disabled_attribute] : []),
  ];
}

/** Null for an entry without an ID. */
export function personOf(entry: Entry, settings: Attributes): DirectoryPerson | null {
  const [id] = valuesOf(entry, settings.id_attribute);
  if (id === undefined || id === '' || id.length > 255) return null;
  const memberOf = new Set(valuesOf(entry, GROUPS).map(comparable));
  const held = Object.keys(settings.groups).filter((dn) => memberOf.has(comparable(dn)));
  return {
    dn: entry.dn,
    id,
    email: valuesOf(entry, settings.email_attribute)[0] ?? null,
    name: valuesOf(entry, settings.name_attribute)[0] ?? null,
    isDisabled: isDisabled(entry, settings.disabled_attribute),
    passwordChangedAt: passwordChangedAt(entry),
    groups: new Set(held),
  };
}

function isDisabled(entry: Entry, attribute: string | undefined): boolean {
  if (attribute === undefined) return false;
  const [value = ''] = valuesOf(entry, attribute);
  if (attribute.toLowerCase() === 'useraccountcontrol') return (Number(value) & DISABLED_BIT) !== 0;
  return /^(true|yes)$/i.test(value);
}

function passwordChangedAt(entry: Entry): number | null {
  const [time = ''] = valuesOf(entry, CHANGED);
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(time) ?? [];
  if (second !== undefined) return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  const [count = ''] = valuesOf(entry, LAST_SET);
  // 0 where the password must be changed at the next sign-in.
  return Number(count) > 0 ? Math.floor(Number(count) / 1e7) - SECONDS_BEFORE_UNIX : null;
}

/** As text; what is no text, such as the ID of Active Directory, in hex. */
function valuesOf(entry: Entry, attribute: string): string[] {
  // Servers spell attributes as they like.
  const name = Object.keys(entry).find((each) => each.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? [] : entry[name]!;
  return (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === 'string' ? each : each.toString('hex'),
  );
}

/** Names of entries count alike in any case, and with spaces after commas. */
function comparable(dn: string): string {
  return dn.toLowerCase().replaceAll(/\s*,\s*/g, ',');
}
