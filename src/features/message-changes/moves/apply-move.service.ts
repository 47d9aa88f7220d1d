import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import {
  AutomaticTopicPolicyService,
  type Message,
  MessageAccess,
  MessageAudienceService,
  type ReadableMessage,
} from '../../messages/messages.module';
import { TopicRowsService } from '../../channels/channels.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelRowsService } from '../locks/channel-rows.service';
import { changesChannel, isOnlyMark, type PlannedMove } from '../rights/planned-edit';
import type { NewEdit } from '../history/edit-history.service';
import { MoveMessagesService } from './move-messages.service';
import { type DoneMove } from '../message-changes.api';
import { MoveNoticesService, type WantedNotices } from './move-notices.service';
import { MovedPoliciesService } from './moved-policies.service';
import { MovedReachService, type MovedReach } from './moved-reach.service';

/** A move that may be made. */
export interface CheckedMove {
  /** The message that is named; others may move with it. */
  readonly message: ReadableMessage['message'];
  readonly plan: PlannedMove;
  /** For the history: what holds for all that move, and what holds for the one that is named. */
  readonly edits: { readonly shared: NewEdit; readonly own: NewEdit };
  readonly wanted: WantedNotices;
}

/** A move that was made, and whom it concerns. */
export interface AppliedMove extends MovedReach {
  readonly message: CheckedMove['message'];
  readonly plan: PlannedMove;
  readonly done: DoneMove;
  /** Who had taken part in the topic before; known only where they are to be told. */
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

  /** Moving one's own message affects no one else, and resolving a topic moves nothing. */
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

  /** Lets topic policies follow the move, of which clients hear before the move itself. */
  async followPolicies(tx: Transaction, { message, plan, done }: AppliedMove): Promise<void> {
    await this.policies.follow(tx, done, (userId) => this.reach.mayRead(userId, plan.to));
    if (!done.isWholeToMover) await this.noteStarted(tx, message, done);
  }

  /** Posts notices and renews what channels say about their messages, once clients know of the move. @throws NeedsExclusive */
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

  /** A message may come to be the first of a topic that its sender sees there. */
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
