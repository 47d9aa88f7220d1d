import { ROLE_NAMES, type RoleName } from '../../../../platform/actor';
import { type AttributeChange, booleanValue, textValue } from '../protocol/changes';
import { memberOf } from '../protocol/filter';
import { InvalidValue, NotForDirectories } from '../protocol/scim.api';
import { isObject } from '../../../../platform/collections';

/** Attributes of a person that a directory sent; others are undefined. */
export interface WantedPerson {
  userName?: string;
  email?: string;
  externalId?: string | null;
  displayName?: string;
  formatted?: string;
  givenName?: string;
  familyName?: string;
  active?: boolean;
  role?: RoleName;
}

/** Attributes that cannot be removed. */
const LASTING = new Set(['username', 'name', 'displayname', 'emails', 'active', 'roles', 'role']);

const NAME_PARTS = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' } as const;

/**
 * Merges the changes of a directory; later ones take precedence, and unsupported attributes are ignored.
 * @returns null if no attribute is supported
 * @throws InvalidValue, NotForDirectories
 */
export function wantedPerson(changes: readonly AttributeChange[]): WantedPerson | null {
  const wanted: WantedPerson = {};
  const known = changes.filter((change) => take(wanted, change));
  return known.length === 0 ? null : wanted;
}

/** @returns whether the attribute is supported */
function take(wanted: WantedPerson, { op, attribute, sub, value }: AttributeChange): boolean {
  if (op === 'remove' && LASTING.has(attribute)) {
    throw new NotForDirectories(`${attribute} can be replaced, but not removed.`);
  }
  switch (attribute) {
    case 'externalid':
      wanted.externalId =
        op === 'remove' || value === null || value === '' ? null : textValue('externalId', value);
      return true;
    case 'username':
      wanted.userName = textValue('userName', value);
      return true;
    case 'displayname':
      if (value !== null && value !== '') wanted.displayName = textValue('displayName', value);
      return true;
    case 'name':
      takeName(wanted, sub, value);
      return true;
    case 'emails':
      takeEmail(wanted, value);
      return true;
    case 'active':
      wanted.active = booleanValue('active', value);
      return true;
    case 'role':
    case 'roles':
      takeRole(wanted, value);
      return true;
    default:
      return false;
  }
}

function takeName(wanted: WantedPerson, sub: string | null, value: unknown): void {
  const parts = sub === null && isObject(value) ? Object.entries(value) : [[sub ?? '', value] as const];
  for (const [key, part] of parts as readonly (readonly [string, unknown])[]) {
    const name = NAME_PARTS[key.toLowerCase() as keyof typeof NAME_PARTS] as
      (typeof NAME_PARTS)[keyof typeof NAME_PARTS] | undefined;
    if (name !== undefined && part !== null && part !== '') wanted[name] = textValue(`name.${name}`, part);
  }
}

function takeEmail(wanted: WantedPerson, value: unknown): void {
  const email = preferred(value);
  if (email !== undefined) wanted.email = textValue('emails.value', email);
}

function takeRole(wanted: WantedPerson, value: unknown): void {
  const given = preferred(value);
  if (given === undefined || given === '') return;
  const name = textValue('roles.value', given).toLowerCase();
  const role = ROLE_NAMES.find((each) => each === name);
  if (!role)
    throw new InvalidValue(`${name.slice(0, 100)} is not a role. The roles are ${ROLE_NAMES.join(', ')}.`);
  wanted.role = role;
}

/** Of several values, the primary one, else the one of type `work`, else the first. */
function preferred(value: unknown): unknown {
  if (!Array.isArray(value)) return isObject(value) ? memberOf(value, 'value') : (value ?? undefined);
  const values: readonly unknown[] = value;
  const having = (name: string, wanted: string) =>
    values.find((each) => isObject(each) && String(memberOf(each, name)).toLowerCase() === wanted);
  const chosen = having('primary', 'true') ?? having('type', 'work') ?? values[0];
  return isObject(chosen) ? memberOf(chosen, 'value') : chosen;
}

/**
 * The new full name of an account: the display name, else the formatted name, else its parts.
 * @param former supplies a missing part
 */
export function wantedName(
  { displayName, formatted, givenName, familyName }: WantedPerson,
  former: { readonly givenName: string; readonly familyName: string },
): string | undefined {
  if (displayName !== undefined) return displayName;
  if (formatted !== undefined) return formatted;
  if (givenName === undefined && familyName === undefined) return undefined;
  return `${givenName ?? former.givenName} ${familyName ?? former.familyName}`.trim();
}
