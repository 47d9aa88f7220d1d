import type { AccountRecord } from '../accounts/account.directory';

/** What of an account a link rests on that lets a person in without the password. */
export interface LinkGrounds extends Pick<AccountRecord, 'id' | 'role' | 'emailKey' | 'keyNonce'> {
  readonly passwordHash: string | null;
}

/**
 * The text that such a link is signed over. It changes with the role, address, password and key of the account, and so
 * does the signature: a link made for a member does not open the account of the owner whom the member has become.
 * Deactivation replaces the key.
 */
export function linkGrounds(
  { id, role, emailKey, keyNonce, passwordHash }: LinkGrounds,
  expiresAt: number,
): string {
  return JSON.stringify([id, expiresAt, passwordHash ?? '', emailKey, keyNonce, role]);
}
