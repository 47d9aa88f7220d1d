import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor } from '../../../platform/actor';
import { InvalidToken } from '../../../platform/errors/companion.errors';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AccountDirectory, type AccountRecord, NoSuchUser, UserIsDeleted } from '../../users/users.module';

/** People as managed by administrators, with their current roles. */
@Injectable()
export class PersonAccess {
  constructor(private readonly accounts: AccountDirectory) {}

  /**
   * The caller's current state. Writes call this inside their exclusive transaction, because a person may have lost a
   * role, or been deactivated, after the request was authenticated.
   * @throws InvalidToken, MustBeAdministrator
   */
  administrator(caller: Actor): Actor {
    const account = this.accounts.byId(caller.userId);
    if (!account?.isActive) throw new InvalidToken();
    if (!isAdministrator(account)) throw new MustBeAdministrator();
    return { ...caller, role: account.role };
  }

  /** A person to read, including deactivated and deleted ones; excludes bots. @throws NoSuchUser */
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
