import type { AccountRecord } from '../accounts/account.directory';

/** The properties of an account on which a sign-in link without a password depends. */
export interface LinkBasis extends Pick<AccountRecord, 'id' | 'role' | 'emailKey' | 'keyNonce'> {
  readonly passwordHash: string | null;
}

/**
 * The signed text of such a link. It changes with the role, address, password and key of the account, which invalidates
 * the signature: a link created for a member does not work after the member becomes an owner. Deactivation replaces the
 * key.
 */
export function linkBasis(
  { id, role, emailKey, keyNonce, passwordHash }: LinkBasis,
  expiresAt: number,
): string {
  return JSON.stringify([id, expiresAt, passwordHash ?? '', emailKey, keyNonce, role]);
}
