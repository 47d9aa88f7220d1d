import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { NothingToDo } from '../channels.errors';
import { SubscribeService, type SubscribeAnswer, type SubscribeRequest } from './subscribe.service';
import { UnsubscribeService, type UnsubscribeAnswer } from './unsubscribe.service';

/** Subscribes and unsubscribes in one go. */
@Injectable()
export class UpdateSubscriptionsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly subscribing: SubscribeService,
    private readonly unsubscribing: UnsubscribeService,
  ) {}

  /**
   * Adds first, then removes; does both or, on any error, nothing.
   * @param names of channels to leave
   * @throws NothingToDo, and the errors of both
   */
  async update(
    actor: Actor,
    addition: SubscribeRequest,
    names: readonly string[],
  ): Promise<SubscribeAnswer & UnsubscribeAnswer> {
    if (addition.channels.length === 0 && names.length === 0) throw new NothingToDo();
    const rendered = this.subscribing.render(addition);
    return this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      return {
        ...(await this.subscribing.subscribeWithin(tx, current, addition, rendered)),
        ...(await this.unsubscribing.unsubscribeWithin(tx, current, { names, principals: [] })),
      };
    });
  }
}
