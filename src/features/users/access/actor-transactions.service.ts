import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { UserAccess } from './user.access';

/** The work of such a transaction. @param actor as of now */
type ActorWork<Result> = (tx: Transaction, actor: Actor) => Promise<Result>;

/**
 * Exclusive transactions for people whose roles decide what they may do: a person may have lost a role, or been
 * deactivated, after the request was authenticated.
 */
@Injectable()
export class ActorTransactions {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
  ) {}

  /**
   * @throws Unauthorized for an account that has been deactivated
   */
  runExclusive<Result>(actor: Actor, work: ActorWork<Result>): Promise<Result> {
    return this.transactions.runExclusive(async (tx) => work(tx, this.access.current(actor)));
  }

  /** @throws Unauthorized, MustBeAdministrator */
  runForAdministrator<Result>(actor: Actor, work: ActorWork<Result>): Promise<Result> {
    return this.runExclusive(actor, async (tx, current) => {
      if (!isAdministrator(current)) throw new MustBeAdministrator();
      return work(tx, current);
    });
  }
}
