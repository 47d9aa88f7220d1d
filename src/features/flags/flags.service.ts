import { Injectable } from '@nestjs/common';
import {
  type ChangedFlags,
  ChangeFlagsService,
  concernsOwnOnly,
  type FlagChange,
  parseFlagChange,
  planFlagChange,
} from './change-flags.service';
import { type NarrowFlagsWire, NoSuchTopic, ReadReceiptsDisabled } from './flags.api';
import type { Actor } from '../../platform/actor';
import { chunksOf } from '../../platform/collections';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import type { Queryable } from '../../platform/sql/queryable';
import { ChannelAccess, SubscriptionDirectory, TopicRowsService } from '../channels/channels.module';
import {
  MarkReadService,
  MessageAccess,
  MessageAudienceService,
  MessageRangeService,
  type ReadingPlace,
} from '../messages/messages.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { MutedUserDirectory } from '../personal/personal.module';
import { AccountDirectory, type AccountRecord, personalSetting, UserVisibility } from '../users/users.module';

/**
 * Maximum number of messages per transaction and event. Larger changes run in several steps, so that other writes do
 * not wait long.
 */
const MESSAGES_A_STEP = 10_000;

/** The range of a request, as received by {@link MessageRangeService}. */
type RequestedRange = Parameters<MessageRangeService['within']>[2];

/** Changes flags of messages given by ID or by a range of a narrow. */
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
   * @param messageIds any numbers, possibly with duplicates
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
   * @param narrow unparsed terms
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

  /** Checks before the first of several steps whether any of them would be refused. */
  private async check(actor: Actor, messageIds: readonly number[], change: FlagChange): Promise<void> {
    const messages = await this.access.among(this.database.read, actor, messageIds);
    planFlagChange(change, messageIds, messages, this.subscriptions.channelsOf(actor.userId));
  }
}

/** At least one step, however few messages there are. */
function inSteps(messageIds: readonly number[]): (readonly number[])[] {
  return messageIds.length === 0 ? [[]] : [...chunksOf(messageIds, MESSAGES_A_STEP)];
}

/** Marks all messages of a place, or everywhere, as read. */
@Injectable()
export class MarkAsReadService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly channels: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly reading: MarkReadService,
    private readonly topics: TopicRowsService,
  ) {}

  async all(actor: Actor): Promise<void> {
    await this.transactions.run((tx) => this.reading.markAll(tx, actor.userId));
  }

  /** @throws InvalidChannelId */
  async channel(actor: Actor, channelId: number): Promise<void> {
    const { id } = this.channels.forContent(actor, channelId, { archived: true });
    await this.inSteps(actor, { channelId: id });
  }

  /**
   * @param name the display name of the empty topic means the empty topic; an empty name means the whole channel
   * @throws InvalidChannelId, NoSuchTopic
   */
  async topic(actor: Actor, channelId: number, name: string): Promise<void> {
    if (name === '') {
      await this.channel(actor, channelId);
      return;
    }
    const { id } = this.channels.forContent(actor, channelId, { archived: true });
    const place = await this.findTopic(this.database.read, actor.userId, id, name);
    await this.inSteps(actor, place);
  }

  /** Uses several transactions if there are many messages, so that others need not wait for all of them. */
  private async inSteps(actor: Actor, place: ReadingPlace): Promise<void> {
    for (let from: number | null = 1; from !== null;) {
      const next: number = from;
      from = await this.transactions.run((tx) => this.reading.markSome(tx, actor.userId, place, next));
    }
  }

  private async findTopic(
    db: Queryable,
    userId: number,
    channelId: number,
    name: string,
  ): Promise<ReadingPlace> {
    const isEmptyTopic = name === this.organization.settings.empty_topic_display_name;
    const topicId = (await this.topics.byName(db, channelId, isEmptyTopic ? '' : name))?.id ?? null;
    const place = topicId === null ? null : { channelId, topicId };
    if (!place || !(await this.reading.hasTopic(db, userId, place))) throw new NoSuchTopic(name);
    return place;
  }
}

/** Lists who has read a message. */
@Injectable()
export class ReadReceiptsService {
  constructor(
    private readonly database: Database,
    private readonly organization: OrganizationDirectory,
    private readonly access: MessageAccess,
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
    private readonly muted: MutedUserDirectory,
    private readonly visibility: UserVisibility,
  ) {}

  /**
   * Users who have read a message and send read receipts. Excludes the sender, and users who muted the actor or are
   * muted by the actor.
   * @throws ReadReceiptsDisabled, InvalidMessage
   */
  async of(actor: Actor, messageId: number): Promise<number[]> {
    if (!this.organization.settings.enable_read_receipts) throw new ReadReceiptsDisabled();
    const db = this.database.background;
    const { message } = await this.access.forReading(db, actor, messageId);
    const readers = (await this.audiences.readersOf(db, message)).flatMap(
      (id) => this.accounts.byId(id) ?? [],
    );
    const mutedByActor = this.muted.mutedBy(actor.userId);
    const mutersOfActor = this.muted.mutersOf(actor.userId);
    const listed = readers.filter(
      (reader) =>
        sendsReadReceipts(reader) &&
        reader.id !== message.senderId &&
        !mutedByActor.has(reader.id) &&
        !mutersOfActor.has(reader.id),
    );
    return (await this.visibility.visible(db, actor, listed)).map(({ id }) => id);
  }
}

function sendsReadReceipts(reader: AccountRecord): boolean {
  return reader.isActive && !reader.isSystemBot && personalSetting(reader.settings, 'send_read_receipts');
}
