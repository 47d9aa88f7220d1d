import { Injectable } from '@nestjs/common';
import { isOwner, THE_OPERATOR, type Actor } from '../../../platform/actor';
import { CommandRefused } from '../../../platform/operator/operator-commands';
import { AccountDirectory, type AccountRecord, actorOf } from '../accounts/account.directory';

/** Finds accounts as the operator of the server names them, and the account as which the operator acts. */
@Injectable()
export class OperatorAccountAccess {
  constructor(private readonly accounts: AccountDirectory) {}

  /** An account by address or ID, bots and deactivated ones included. @throws CommandRefused */
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
   * The operator owns the data anyway, and so may do what an owner may: the operator acts as the first active owner,
   * under the same rules as over the interface.
   * @throws CommandRefused before the first start
   */
  actor(): Actor {
    const owner = this.accounts.all().find((each) => each.isActive && !each.isBot && isOwner(each));
    if (owner) return this.actAs(owner);
    throw new CommandRefused('No organization here yet. Create one with "parley init".');
  }

  /** For what a person should appear to have made themselves, such as their bots. */
  actAs(account: AccountRecord): Actor {
    return actorOf(account, THE_OPERATOR);
  }
}
