import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor } from '../../../platform/actor';
import { InvalidToken } from '../../../platform/errors/companion.errors';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AccountDirectory, type AccountRecord, NoSuchUser, UserIsDeleted } from '../../users';

/** People as administrators manage them, by roles as they are at this moment. */
@Injectable()
export class PersonAccess {
  constructor(private readonly accounts: AccountDirectory) {}

  /**
   * The caller as of now. A write asks for it inside its exclusive transaction, since somebody may have lost a role, or
   * left, after the request was let in.
   * @throws InvalidToken, MustBeAdministrator
   */
  administrator(caller: Actor): Actor {
    const account = this.accounts.byId(caller.userId);
    if (!account?.isActive) throw new InvalidToken();
    if (!isAdministrator(account)) throw new MustBeAdministrator();
    return { ...caller, role: account.role };
  }

  /** A person to look at, deactivated and deleted ones included; bots are nobody here. @throws NoSuchUser */
  forReading(userId: number): AccountRecord {
    const account = this.accounts.byId(userId);
    if (!account || account.isBot || account.isSystemBot) throw new NoSuchUser();
    return account;
  }

  /** A person to be changed. Owners are for owners. @throws NoSuchUser, UserIsDeleted, MustBeOwner */
  forChange(actor: Actor, userId: number): AccountRecord {
    const account = this.forReading(userId);
    if (account.isDeleted) throw new UserIsDeleted();
    if (isOwner(account) && !isOwner(actor)) throw new MustBeOwner();
    return account;
  }
}
