import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { chunksOf } from '../../platform/collections';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { SubscriptionDirectory } from '../channels';
import { MessageAccess } from '../messages';
import { ChangeFlagsService, type ChangedFlags } from './change-flags.service';
import { parseFlagChange, type FlagChange } from './flag-change';
import { concernsOwnOnly, planFlagChange } from './flag-plan';

/**
 * Messages whose flags one transaction changes, and one event names. More are changed in several steps, so that
 * nobody has to wait long for another's hundred thousand.
 */
const MESSAGES_A_STEP = 10_000;

/** Changes flags of the messages that somebody names (spec, endpoint 19). */
@Injectable()
export class UpdateFlagsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly access: MessageAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly flags: ChangeFlagsService,
  ) {}

  /**
   * @param messageIds any numbers, repeated ones too
   * @throws UnknownFlag, FlagNotEditable, InvalidFlagOperation; InvalidMessage, and then nothing has changed
   */
  async update(actor: Actor, messageIds: readonly number[], op: string, flag: string): Promise<ChangedFlags> {
    const change = parseFlagChange(op, flag);
    const steps = inSteps([...new Set(messageIds)]);
    if (steps.length > 1 && !concernsOwnOnly(change)) {
      for (const ids of steps) await this.check(actor, ids, change);
    }
    const done: ChangedFlags[] = [];
    for (const ids of steps) {
      done.push(await this.transactions.run((tx) => this.flags.change(tx, actor, ids, change)));
    }
    return {
      messageIds: done.flatMap((step) => step.messageIds),
      ignoredChannelIds: [...new Set(done.flatMap((step) => step.ignoredChannelIds))],
    };
  }

  /** Looks before the first of several steps whether any would be refused. */
  private async check(actor: Actor, messageIds: readonly number[], change: FlagChange): Promise<void> {
    const messages = await this.access.among(this.database.read, actor, messageIds);
    planFlagChange(change, messageIds, messages, this.subscriptions.channelsOf(actor.userId));
  }
}

/** At least one step, however few messages there are. */
function inSteps(messageIds: readonly number[]): (readonly number[])[] {
  return messageIds.length === 0 ? [[]] : [...chunksOf(messageIds, MESSAGES_A_STEP)];
}
