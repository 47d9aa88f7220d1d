import { Injectable } from '@nestjs/common';
import { isOwner, THE_OPERATOR, type Actor } from '../../../platform/actor';
import { CommandRefused } from '../../../platform/operator/operator-commands';
import { AccountDirectory, type AccountRecord, actorOf } from '../accounts/account.directory';

/** Finds the accounts that the operator of the server names, and the account on whose behalf the operator acts. */
@Injectable()
export class OperatorAccountAccess {
  constructor(private readonly accounts: AccountDirectory) {}

  /** Finds an account by address or ID, including bots and deactivated accounts. @throws CommandRefused */
  find(addressOrId: string): AccountRecord {
    const given = addressOrId.trim();
    const isId = /^\d{1,10}$/.test(given);
    const account = isId ? this.accounts.byId(Number(given)) : this.accounts.byEmail(given);
    if (account && !account.isSystemBot) return account;
    throw new CommandRefused(
      `No account has the ${isId ? 'ID' : 'address'} ${given}. See "parley user list --bots --inactive".`,
    );
  }

  /** @throws CommandRefused for a bot */
  findPerson(addressOrId: string): AccountRecord {
    const account = this.find(addressOrId);
    if (!account.isBot) return account;
    throw new CommandRefused(`${account.fullName} is a bot. Bots have no password; they use an API key.`);
  }

  /**
   * The operator owns the data anyway, and therefore has an owner's permissions: acts as the first active owner, under
   * the same rules as the API.
   * @throws CommandRefused before the first start
   */
  actor(): Actor {
    const owner = this.accounts.all().find((each) => each.isActive && !each.isBot && isOwner(each));
    if (owner) return this.actAs(owner);
    throw new CommandRefused('No organization here yet. Create one with "parley init".');
  }

  /** For actions that should appear as the person's own, such as creating a bot. */
  actAs(account: AccountRecord): Actor {
    return actorOf(account, THE_OPERATOR);
  }
}
