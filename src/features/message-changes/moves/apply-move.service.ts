import { Injectable } from '@nestjs/common';
import { MoveMessagesService } from './move-messages.service';
import { MoveNoticesService, type WantedNotices } from './move-notices.service';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { addTo, chunksOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { AuditLog } from '../../audit/audit.module';
import {
  ChannelAccess,
  type ChannelRecord,
  SubscriptionDirectory,
  topicKey,
  TopicRowsService,
  TopicVisibility,
  UserTopicsService,
} from '../../channels/channels.module';
import {
  AutomaticTopicPolicyService,
  HistoricalMessageService,
  type Message,
  MessageAccess,
  MessageAudienceService,
  type ReadableMessage,
} from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';
import type { NewEdit } from '../history/edit-history.service';
import { ChannelRowsService } from '../locks/message-locks.service';
import type { DoneMove } from '../message-changes.api';
import { changesChannel, isOnlyMark, type PlannedMove } from '../rights/planned-edit';
import { TooManyToMove } from '../rights/rights.api';

/** From least visible to most visible. */
const RANKING: readonly TopicVisibility[] = [
  TopicVisibility.muted,
  TopicVisibility.none,
  TopicVisibility.unmuted,
  TopicVisibility.followed,
];

/** Moves people's policies for a topic along when it moves as a whole. */
@Injectable()
export class MovedPoliciesService {
  constructor(
    private readonly topics: UserTopicsService,
    private readonly clock: Clock,
  ) {}

  /**
   * If the topic is merged into another one, people keep the policy that makes it more visible.
   * @param mayRead whether a person can see the new place; the policies of others are deleted
   */
  async follow(tx: Transaction, done: DoneMove, mayRead: (userId: number) => boolean): Promise<void> {
    const { from, to, isWhole, intoExisting } = done;
    const isSameTopic = from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic);
    if (!isWhole || isSameTopic) return;
    const before = await this.topics.policiesFor(tx, from.channelId, from.topic);
    const there = await this.topics.policiesFor(tx, to.channelId, to.topic);
    const concerned = [...(intoExisting ? new Set([...before.keys(), ...there.keys()]) : before.keys())];
    const byPolicy = new Map<TopicVisibility, number[]>();
    for (const userId of concerned.filter(mayRead).sort((a, b) => a - b)) {
      const now = there.get(userId) ?? TopicVisibility.none;
      const policy = combined(before.get(userId) ?? TopicVisibility.none, now, intoExisting);
      if (policy === now) continue;
      addTo(byPolicy, policy, userId);
    }
    const lastUpdated = this.clock.nowSeconds();
    await this.topics.setForAll(tx, [...before.keys()], {
      ...from,
      policy: TopicVisibility.none,
      lastUpdated,
    });
    for (const [policy, userIds] of byPolicy)
      await this.topics.setForAll(tx, userIds, { ...to, policy, lastUpdated });
  }
}

/** A person's policy for the topic after the move. */
function combined(before: TopicVisibility, there: TopicVisibility, isMerged: boolean): TopicVisibility {
  if (!isMerged) return before;
  return RANKING.indexOf(before) > RANKING.indexOf(there) ? before : there;
}

/** The recipients of the events of a move. */
interface MovedReach {
  /** Users who can see the messages at their new place. */
  readonly told: Audience;
  /** Users who lost access. */
  readonly lost: Audience;
}

const MESSAGES_PER_STATEMENT = 500;

/** Maximum number of rows that one move writes for people who get messages in their history. */
const MAX_ROWS = 200_000;

/** Determines who loses and who gains access to messages that move to another channel. */
@Injectable()
export class MovedReachService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly history: HistoricalMessageService,
  ) {}

  /**
   * Removes the messages from the histories of users who lose access. With protected history at the destination, adds
   * them to the histories of current subscribers, and keeps them for recipients who still have access.
   * @param before the audience of the messages at their old place
   * @throws TooManyToMove
   */
  async change(tx: Transaction, plan: PlannedMove, done: DoneMove, before: Audience): Promise<MovedReach> {
    if (!changesChannel(plan)) return { told: before, lost: Audience.none };
    const subscribers = this.subscriptions.subscribersOf(plan.to.id);
    const lost = Audience.of(before.ids().filter((userId) => !this.mayRead(userId, plan.to)));
    const keeping = before.without(lost.ids());
    const isLosing = (userId: number) =>
      this.accounts.byId(userId)?.isActive === true && !this.mayRead(userId, plan.to);
    let entered = 0;
    for (const some of chunksOf(done.messageIds, MESSAGES_PER_STATEMENT)) {
      await this.history.leave(tx, some, isLosing);
      if (plan.to.isHistoryPublicToSubscribers) continue;
      entered += await this.history.settle(tx, { entering: subscribers, keeping }, some);
      if (entered > MAX_ROWS) throw new TooManyToMove();
    }
    return { told: subscribers.union(keeping), lost };
  }

  /** Whether a person can read all of a channel's messages, not only received ones. */
  mayRead(userId: number, channel: ChannelRecord): boolean {
    const account = this.accounts.byId(userId);
    return (
      account !== undefined && this.channelAccess.hasContentAccess({ userId, role: account.role }, channel)
    );
  }
}

/** A permitted move. */
interface CheckedMove {
  /** The message in the request; others may move with it. */
  readonly message: ReadableMessage['message'];
  readonly plan: PlannedMove;
  /** For the history: the edit of all moved messages, and that of the message in the request. */
  readonly edits: { readonly shared: NewEdit; readonly own: NewEdit };
  readonly wanted: WantedNotices;
}

/** A completed move, and the people it affects. */
export interface AppliedMove extends MovedReach {
  readonly message: CheckedMove['message'];
  readonly plan: PlannedMove;
  readonly done: DoneMove;
  /** Previous participants of the topic; empty unless they are to be notified. */
  readonly participants: ReadonlySet<number>;
}

/** Makes checked moves. */
@Injectable()
export class ApplyMoveService {
  constructor(
    private readonly audiences: MessageAudienceService,
    private readonly moving: MoveMessagesService,
    private readonly reach: MovedReachService,
    private readonly policies: MovedPoliciesService,
    private readonly notices: MoveNoticesService,
    private readonly channelRows: ChannelRowsService,
    private readonly topicRows: TopicRowsService,
    private readonly access: MessageAccess,
    private readonly automatic: AutomaticTopicPolicyService,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Moves the messages, whose topic is locked.
   * @throws TooManyToMove
   */
  async move(
    tx: Transaction,
    actor: Actor,
    { message, plan, edits, wanted }: CheckedMove,
  ): Promise<AppliedMove> {
    const departure = await this.moving.departure(tx, actor, message, plan);
    const participants = wanted.inOldTopic
      ? await this.topicRows.participantsOf(tx, departure.source.id)
      : new Set<number>();
    const before = await this.audiences.ofAll(tx, departure.messages);
    const done = await this.moving.move(tx, departure, edits.shared, {
      messageId: message.id,
      edit: edits.own,
    });
    this.record(tx, actor, message, plan, done);
    return { ...(await this.reach.change(tx, plan, done, before)), message, plan, done, participants };
  }

  /** Moving one's own message affects nobody else, and resolving a topic moves nothing. */
  private record(
    tx: Transaction,
    actor: Actor,
    { id, senderId }: CheckedMove['message'],
    plan: PlannedMove,
    { messageIds, from, to }: DoneMove,
  ): void {
    if (isOnlyMark(plan) || (senderId === actor.userId && messageIds.length === 1)) return;
    const details = {
      messages: messageIds.length,
      from: { channel: from.channelId, topic_id: from.topicId },
      to: { channel: to.channelId, topic_id: to.topicId },
    };
    this.audit.record(tx, actor, 'message.moved', { id, userId: senderId }, details);
  }

  /** Moves topic policies along; clients receive these events before that of the move. */
  async followPolicies(tx: Transaction, { message, plan, done }: AppliedMove): Promise<void> {
    await this.policies.follow(tx, done, (userId) => this.reach.mayRead(userId, plan.to));
    if (!done.isWholeToMover) await this.noteStarted(tx, message, done);
  }

  /**
   * Posts notices and updates the channels' facts about their messages, after the event of the move. @throws
   * NeedsExclusive
   */
  async conclude(
    tx: Transaction,
    actor: Actor,
    { plan, done, participants }: AppliedMove,
    wanted: WantedNotices,
  ): Promise<void> {
    if (changesChannel(plan) && !wanted.inNewTopic) await this.noteArrival(tx, plan, done);
    await this.notices.post(tx, actor, { plan, done, wanted, participants });
    if (!changesChannel(plan)) return;
    for (const { id } of [plan.from, plan.to]) {
      if (await this.channelRows.renewFirst(tx, id)) await this.channelRows.tellFirst(tx, id);
    }
  }

  /** A message may become the first one that its sender sees in a topic. */
  private async noteStarted(
    tx: Transaction,
    { id, senderId }: CheckedMove['message'],
    { to }: DoneMove,
  ): Promise<void> {
    const sender = this.accounts.byId(senderId);
    if (!sender?.isActive) return;
    const reader = { userId: sender.id, role: sender.role };
    const topic = { id: to.topicId, channelId: to.channelId };
    if (await this.access.seesTopic(tx, reader, topic, id - 1)) return;
    await this.automatic.afterMoving(tx, { userId: sender.id, isBot: sender.isBot }, to);
  }

  private async noteArrival(tx: Transaction, { to }: PlannedMove, { messageIds }: DoneMove): Promise<void> {
    const [newest] = await tx.query<Pick<Message, 'id' | 'sentAt'>>(
      'SELECT id, sent_at AS "sentAt" FROM message WHERE id = ?',
      [messageIds.at(-1) ?? 0],
    );
    if (newest) await this.channelRows.noteArrival(tx, to, newest);
  }
}
