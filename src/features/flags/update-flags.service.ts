import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { chunksOf } from '../../platform/collections';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { SubscriptionDirectory } from '../channels/channels.module';
import { MessageAccess, MessageRangeService } from '../messages/messages.module';
import { ChangeFlagsService, type ChangedFlags } from './change-flags.service';
import { concernsOwnOnly, type FlagChange, parseFlagChange, planFlagChange } from './flag-change';
import type { NarrowFlagsWire } from './flags.api';

/**
 * Maximum number of messages per transaction and event. Larger changes run in several steps, so that other writes do
 * not wait long.
 */
const MESSAGES_A_STEP = 10_000;

/** The range of a request, as {@link MessageRangeService} takes it. */
type RequestedRange = Parameters<MessageRangeService['within']>[2];

/** Changes flags of messages that people name, by ID or by a range of a narrow. */
@Injectable()
export class UpdateFlagsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly access: MessageAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly ranges: MessageRangeService,
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

  /**
   * @param narrow terms as they were sent
   * @throws BadRequest, BadNarrow; UnknownFlag, FlagNotEditable, InvalidFlagOperation
   */
  async updateInNarrow(
    actor: Actor,
    narrow: readonly unknown[],
    range: RequestedRange,
    { op, flag }: { readonly op: string; readonly flag: string },
  ): Promise<NarrowFlagsWire> {
    const found = await this.ranges.within(actor, narrow, range);
    const change = parseFlagChange(op, flag);
    const changed = await this.transactions.run((tx) => this.flags.change(tx, actor, found.ids, change));
    return {
      processed_count: found.ids.length,
      updated_count: changed.messageIds.length,
      first_processed_id: found.ids[0] ?? null,
      last_processed_id: found.ids.at(-1) ?? null,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      ignored_because_not_subscribed_channels: changed.ignoredChannelIds,
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
