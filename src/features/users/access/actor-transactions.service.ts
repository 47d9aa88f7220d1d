import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { CallerDeactivated, MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { UserAccess } from './user.access';

/** The work of an exclusive transaction. @param actor up to date */
type ActorWork<Result> = (tx: Transaction, actor: Actor) => Promise<Result>;

/**
 * Exclusive transactions for actions that depend on a person's role: the person may have lost a role, or been
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
 * Transactions in which people change only their own data, such as drafts: serialized per account, so that limits on
 * the amount of data hold, and refused once an account is deactivated or deleted.
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
      // SQLite runs one writing transaction at a time anyway.
      const lock = tx.engine === 'postgres' ? 'FOR NO KEY UPDATE' : '';
      const rows = await tx.query(`SELECT id FROM account WHERE id = ? AND is_active ${lock}`, [userId]);
      if (rows.length === 0) throw new CallerDeactivated();
      return work(tx);
    });
  }
}
