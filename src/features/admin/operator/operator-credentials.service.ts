import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { CommandRefused } from '../../../platform/operator/operator-command';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { Passwords } from '../../../platform/secrets/passwords';
import { AccountChanges, ApiKeyService } from '../../users';
import { OperatorAccountAccess } from './operator-account.access';
import type { SetPasswordInput, UserKeyInput } from './operator-people.dto';
import { accountWire } from './operator.wire';
import { generatedPassword } from './generated-password';

/** What accounts sign in with, as the operator sets and shows it. */
@Injectable()
export class OperatorCredentialsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly replaceKey: ApiKeyService,
  ) {}

  /** @returns the account, with its password where it was made up here. @throws WeakPassword */
  async setPassword({ user, password }: SetPasswordInput) {
    const account = this.access.findPerson(user);
    if (account.isDeleted) throw new CommandRefused(`${account.fullName} was deleted for good.`);
    const chosen = password ?? generatedPassword();
    this.passwords.requireStrong(chosen);
    const passwordHash = await this.passwords.hash(chosen);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      row.passwordHash = passwordHash;
      await this.changes.save(tx, row);
    });
    return { user: accountWire(account), ...(password === undefined && { password: chosen }) };
  }

  /** @returns what a client needs to sign in as the account */
  async key({ user, regenerate = false }: UserKeyInput, site: string) {
    const account = this.access.find(user);
    const key = regenerate
      ? await this.replaceKey.regenerate(account.id)
      : this.apiKeys.apiKeyFor(account.keyNonce);
    return { user: accountWire(account), zuliprc: { email: account.deliveryEmail, key, site } };
  }
}
