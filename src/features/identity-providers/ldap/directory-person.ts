import type { Entry } from 'ldapts';
import type { LdapDirectory } from '../../../platform/config/ldap-settings';

/** Attribute with the groups of an entry, on servers that have it. */
const GROUPS = 'memberOf';

/** Attributes with the time of the last password change: OpenLDAP's with password policies, and Active Directory's. */
const CHANGED = 'pwdChangedTime';
const LAST_SET = 'pwdLastSet';

/** Seconds from the epoch of Active Directory, 1601, to that of UNIX, 1970. */
const SECONDS_BEFORE_UNIX = 11_644_473_600;

/** The `userAccountControl` bit of disabled accounts in Active Directory. */
const DISABLED_BIT = 2;

type Attributes = Pick<
  LdapDirectory,
  'id_attribute' | 'email_attribute' | 'name_attribute' | 'disabled_attribute' | 'groups'
>;

/** A person in the LDAP directory. */
export interface DirectoryPerson {
  readonly dn: string;
  /** Permanent, and never reassigned to another entry. */
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly isDisabled: boolean;
  /** UNIX seconds; null if the directory does not report it. */
  readonly passwordChangedAt: number | null;
  /** The person's groups, as keys of the configured group mapping. */
  readonly groups: ReadonlySet<string>;
}

/** The attributes to request. */
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

/** Converts a directory entry. @returns null for an entry without a valid ID */
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
  // 0 means that the password must be changed at the next sign-in.
  return Number(count) > 0 ? Math.floor(Number(count) / 1e7) - SECONDS_BEFORE_UNIX : null;
}

/** The values of an attribute, with binary ones, such as Active Directory's ID, in hex. */
function valuesOf(entry: Entry, attribute: string): string[] {
  // Servers return attribute names in any case.
  const name = Object.keys(entry).find((each) => each.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? [] : entry[name]!;
  return (Array.isArray(value) ? value : [value]).map((each) =>
    typeof each === 'string' ? each : each.toString('hex'),
  );
}

/** Normalizes case, and spaces around commas, to compare DNs. */
function comparable(dn: string): string {
  return dn.toLowerCase().replaceAll(/\s*,\s*/g, ',');
}
