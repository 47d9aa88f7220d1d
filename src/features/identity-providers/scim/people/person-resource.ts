import { roleName } from '../../../../platform/actor';
import type { Account } from '../../../users/users.module';
import type { ScimPerson } from './scim-person.entity';

/** SCIM schema of people. */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The account fields in a resource. */
type Shown = Pick<Account, 'id' | 'deliveryEmail' | 'fullName' | 'role' | 'isActive' | 'dateJoined'>;

/** SCIM resource of a person (RFC 7643, 4.1). */
export interface PersonResource {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly externalId?: string;
  readonly userName: string;
  readonly name: { readonly formatted: string; readonly givenName: string; readonly familyName: string };
  readonly displayName: string;
  readonly emails: readonly { readonly value: string; readonly type: 'work'; readonly primary: true }[];
  readonly active: boolean;
  readonly roles: readonly { readonly value: string; readonly primary: true }[];
  readonly meta: object;
}

/** Converts an account. @param known the directory's row for the person; null if it has none */
export function personResource(account: Shown, known: ScimPerson | null, site: string): PersonResource {
  const { id, deliveryEmail: email, fullName, role, isActive: active } = account;
  const created = new Date(account.dateJoined * 1000).toISOString();
  return {
    schemas: [USER_SCHEMA],
    id: String(id),
    ...(known?.externalId ? { externalId: known.externalId } : {}),
    userName: known?.userName ?? email,
    name: { formatted: fullName, ...partsOf(fullName) },
    displayName: fullName,
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    roles: [{ value: roleName(role) ?? 'member', primary: true }],
    meta: {
      resourceType: 'User',
      created,
      lastModified: created,
      location: `${site}/scim/v2/Users/${id}`,
    },
  };
}

/** Splits a full name, since only that is stored. */
export function partsOf(fullName: string): { givenName: string; familyName: string } {
  const [givenName = '', ...rest] = fullName.split(' ');
  return { givenName, familyName: rest.join(' ') };
}
