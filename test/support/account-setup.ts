import { ApiKeys } from '../../src/platform/secrets/api-keys';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Account } from '../../src/features/users/accounts/account.entity';
import type { Member } from './cast';
import type { TestApp } from './test-app';

/** Sets columns of an account, for states that take long to reach or have no endpoint yet. */
export async function changeAccount(
  app: TestApp,
  member: Pick<Member, 'id'>,
  changed: Partial<Account>,
): Promise<void> {
  await app.writeRows(async (tx) => {
    await tx.repository(Account).update({ id: member.id }, changed);
    tx.touch('accounts', [member.id]);
    // Subscriptions of deactivated people do not count.
    const owned = 'SELECT id FROM subscription WHERE user_id = ?';
    const subscriptions = await tx.query<{ id: number }>(owned, [member.id]);
    tx.touch(
      'subscriptions',
      subscriptions.map(({ id }) => id),
    );
  });
}

/** The current API key of an account. */
export function apiKeyOf(app: TestApp, member: Pick<Member, 'id'>): string {
  const account = app.get(AccountDirectory).byId(member.id);
  if (!account) throw new Error(`Unknown account ${member.id}.`);
  return app.get(ApiKeys).apiKeyFor(account.keyNonce);
}
