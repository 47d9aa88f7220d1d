import type { IdentityProvider, ProvidedRole } from '../../platform/config/identity-providers';
import { ROLE_NAMES } from '../../platform/actor';
import type { Claims } from './openid-client.service';

/** What is needed of a person. */
export type PersonClaims = Pick<Claims, 'sub'> & Partial<Claims>;

const MAX_NAME = 100;

/** The address that a provider names; null where it names none. */
export function emailOf({ email }: Pick<Claims, 'email'>): string | null {
  return typeof email === 'string' && email.includes('@') ? email.trim() : null;
}

/**
 * Whether a provider vouches for an address: it says so, by nothing but `true`, or the operator trusts it with all
 * addresses of its domains; and the address is of a domain that the provider may speak for.
 */
export function isVouchedFor(
  { domains, trusts_email: isTrusted }: Pick<IdentityProvider, 'domains' | 'trusts_email'>,
  claims: Pick<Claims, 'email_verified'>,
  email: string,
): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length > 0 && !domains.some((allowed) => allowed.toLowerCase() === domain)) return false;
  return claims.email_verified === true || (claims.email_verified === undefined && isTrusted);
}

/** Ways of proving who one is that count as a second factor (RFC 8176). */
const STRONG_METHODS = ['mfa', 'otp', 'hwk'];

/** Whether a second factor was shown at the provider: it says so, or the operator knows that it always asks for one. */
export function hasFactor(
  { vouches_for_second_factor: isVouchedFor }: Pick<IdentityProvider, 'vouches_for_second_factor'>,
  { amr }: Readonly<Record<string, unknown>>,
): boolean {
  return isVouchedFor || (Array.isArray(amr) && STRONG_METHODS.some((method) => amr.includes(method)));
}

/** The name for a new account: the whole one, its parts, or what stands before the @. */
export function nameOf(claims: Partial<Claims>, email: string): string {
  const parts = [claims.given_name, claims.family_name].filter((part) => typeof part === 'string');
  const names = [claims.name, parts.join(' '), email.slice(0, email.lastIndexOf('@'))];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
  return [...name.trim()].slice(0, MAX_NAME).join('');
}

/** Values of the claim of groups; null where the provider says nothing of them, as Entra ID does of people with very many. */
export function groupsOf(
  { groups_claim: claim }: Pick<IdentityProvider, 'groups_claim'>,
  claims: Readonly<Record<string, unknown>>,
): ReadonlySet<string> | null {
  const value = claim === undefined ? undefined : claims[claim];
  if (typeof value !== 'string' && !Array.isArray(value)) return null;
  return new Set([value].flat().filter((each): each is string => typeof each === 'string'));
}

/** The most powerful role to which the claim entitles; a member where it says nothing. */
export function roleOf(
  { role_claim: claim, roles }: Pick<IdentityProvider, 'role_claim' | 'roles'>,
  claims: Readonly<Record<string, unknown>>,
): ProvidedRole {
  const value = claim === undefined ? undefined : claims[claim];
  const values = new Set(Array.isArray(value) ? value : [value]);
  const entitled = new Set(
    Object.keys(roles).flatMap((each) => (values.has(each) ? (roles[each] ?? []) : [])),
  );
  const role = ROLE_NAMES.find((name) => entitled.has(name as ProvidedRole));
  return (role as ProvidedRole | undefined) ?? 'member';
}
