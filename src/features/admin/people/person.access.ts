import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor } from '../../../platform/actor';
import { InvalidToken } from '../../../platform/errors/companion.errors';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AccountDirectory, type AccountRecord, NoSuchUser, UserIsDeleted } from '../../users/users.module';

/** People as administrators manage them, with everybody's current role. */
@Injectable()
export class PersonAccess {
  constructor(private readonly accounts: AccountDirectory) {}

  /**
   * The caller as of now. A write asks for it inside its exclusive transaction, because a person may have lost a role,
   * or been deactivated, after the request was authenticated.
   * @throws InvalidToken, MustBeAdministrator
   */
  administrator(caller: Actor): Actor {
    const account = this.accounts.byId(caller.userId);
    if (!account?.isActive) throw new InvalidToken();
    if (!isAdministrator(account)) throw new MustBeAdministrator();
    return { ...caller, role: account.role };
  }

  /** A person to read, deactivated and deleted ones included; bots do not count. @throws NoSuchUser */
  forReading(userId: number): AccountRecord {
    const account = this.accounts.byId(userId);
    if (!account || account.isBot || account.isSystemBot) throw new NoSuchUser();
    return account;
  }

  /** A person to change. Only owners may change owners. @throws NoSuchUser, UserIsDeleted, MustBeOwner */
  forChange(actor: Actor, userId: number): AccountRecord {
    const account = this.forReading(userId);
    if (account.isDeleted) throw new UserIsDeleted();
    if (isOwner(account) && !isOwner(actor)) throw new MustBeOwner();
    return account;
  }
}
