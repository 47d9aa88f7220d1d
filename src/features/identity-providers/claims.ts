import type { IdentityProvider, ProvidedRole } from '../../platform/config/identity-providers';
import { ROLE_NAMES } from '../../platform/actor';
import type { Claims } from './openid-client.service';

/** Claims about a person; only the subject is required. */
export type PersonClaims = Pick<Claims, 'sub'> & Partial<Claims>;

const MAX_NAME = 100;

/** The email address in the claims; null if there is none. */
export function emailOf({ email }: Pick<Claims, 'email'>): string | null {
  return typeof email === 'string' && email.includes('@') ? email.trim() : null;
}

/**
 * Whether a provider vouches for an email address. The address must be in one of the provider's domains, if any are
 * configured, and either `email_verified` is exactly `true`, or it is missing and the operator trusts the provider.
 */
export function isVerifiedByProvider(
  { domains, trusts_email: isTrusted }: Pick<IdentityProvider, 'domains' | 'trusts_email'>,
  claims: Pick<Claims, 'email_verified'>,
  email: string,
): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length > 0 && !domains.some((allowed) => allowed.toLowerCase() === domain)) return false;
  return claims.email_verified === true || (claims.email_verified === undefined && isTrusted);
}

/** Authentication methods that count as a second factor (RFC 8176). */
const STRONG_METHODS = ['mfa', 'otp', 'hwk'];

/** Whether the provider checked a second factor: `amr` reports one, or the operator configured that it always does. */
export function hasFactor(
  { vouches_for_second_factor: isVouchedFor }: Pick<IdentityProvider, 'vouches_for_second_factor'>,
  { amr }: Readonly<Record<string, unknown>>,
): boolean {
  return isVouchedFor || (Array.isArray(amr) && STRONG_METHODS.some((method) => amr.includes(method)));
}

/** The name for a new account: the full name, else given and family name, else the local part of the email address. */
export function nameOf(claims: Partial<Claims>, email: string): string {
  const parts = [claims.given_name, claims.family_name].filter((part) => typeof part === 'string');
  const names = [claims.name, parts.join(' '), email.slice(0, email.lastIndexOf('@'))];
  const name = names.find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? '';
  return [...name.trim()].slice(0, MAX_NAME).join('');
}

/** Values of the groups claim; null if it is missing, as with Entra ID for people in very many groups. */
export function groupsOf(
  { groups_claim: claim }: Pick<IdentityProvider, 'groups_claim'>,
  claims: Readonly<Record<string, unknown>>,
): ReadonlySet<string> | null {
  const value = claim === undefined ? undefined : claims[claim];
  if (typeof value !== 'string' && !Array.isArray(value)) return null;
  return new Set([value].flat().filter((each): each is string => typeof each === 'string'));
}

/** The most powerful role that the claim grants; `member` by default. */
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
