import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { CallerDeactivated, MustBeAdministrator } from '../../../platform/errors/shared.errors';
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

/**
 * Transactions in which people change what is theirs alone, such as drafts: one at a time for each account, so that
 * limits on how much they have hold, and none once an account is deactivated or deleted.
 */
@Injectable()
export class OwnTransactions {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * @throws CallerDeactivated for an account that has been deactivated
   */
  run<Result>(
    { userId }: Pick<Actor, 'userId'>,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(async (tx) => {
      // On SQLite one write runs at a time anyway.
      const lock = tx.engine === 'postgres' ? 'FOR NO KEY UPDATE' : '';
      const rows = await tx.query(`SELECT id FROM account WHERE id = ? AND is_active ${lock}`, [userId]);
      if (rows.length === 0) throw new CallerDeactivated();
      return work(tx);
    });
  }
}
