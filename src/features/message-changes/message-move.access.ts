import { Injectable } from '@nestjs/common';
import { isModerator, type Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import type { Queryable } from '../../platform/database/queryable';
import { ChannelAccess } from '../channels/channel.access';
import { PostingAccess } from '../channels/posting.access';
import { topicKey } from '../channels/topic.entity';
import { MessageAccess, type ReadableMessage } from '../messages/message.access';
import { OrganizationDirectory } from '../organization/organization.directory';
import { PermissionService } from '../user-groups/permission.service';
import { earliestSentAt } from './edit/time-limit';
import { changesChannel, changesTopic, isOnlyMark, type PlannedMove } from './edit/edit-request';
import {
  MayNotEditMessage,
  MayNotMoveMessage,
  MayNotPostInTarget,
  MayNotResolveTopics,
  MoveOfTopicTooLate,
  TooLateToEdit,
} from './message-changes.errors';

type Message = ReadableMessage['message'];

interface Allowed {
  total: number;
  allowed: number;
  first: number | null;
}

/** Decides who may move which messages where (messages reference 5.1, checks 14 to 18 and 20 to 23). */
@Injectable()
export class MessageMoveAccess {
  constructor(
    private readonly permissions: PermissionService,
    private readonly channelAccess: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly messages: MessageAccess,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * What concerns the topic: whether it may be there, and whether the actor may put messages into it.
   * @throws EmptyTopicRefused, NamedTopicRefused, MayNotCreateTopics, MayNotResolveTopics, MayNotEditMessage, TooLateToEdit
   */
  async checkTopic(db: Queryable, actor: Actor, message: Message, move: PlannedMove): Promise<void> {
    if (!isOnlyMark(move)) {
      const exists = () => this.topicExists(db, move);
      await this.posting.checkTopic(actor, move.to, { name: move.topic, exists });
    }
    if (!changesTopic(move)) return;
    if (move.resolution !== null) {
      if (!this.mayResolve(actor, move)) throw new MayNotResolveTopics();
      return;
    }
    const isAllowed =
      this.permissions.allowsInOrganization(actor, 'can_move_messages_between_topics_group') ||
      this.channelAccess.holds(actor, move.from, 'can_move_messages_within_channel_group');
    if (!isAllowed) throw new MayNotEditMessage();
    const earliest = this.earliest(actor, 'move_messages_within_channel_limit_seconds');
    if (earliest !== null && message.sentAt < earliest) throw new TooLateToEdit("'s topic");
  }

  /**
   * What concerns the channel, and messages beside the one that is named.
   * @throws MayNotMoveMessage, MayNotPostInTarget, TooLateToEdit, MoveOfTopicTooLate
   */
  async checkChannel(db: Queryable, actor: Actor, message: Message, move: PlannedMove): Promise<void> {
    if (changesChannel(move)) {
      const isAllowed =
        this.permissions.allowsInOrganization(actor, 'can_move_messages_between_channels_group') ||
        this.channelAccess.holds(actor, move.from, 'can_move_messages_out_of_channel_group');
      if (!isAllowed) throw new MayNotMoveMessage();
      if (!this.posting.mayPost(actor, move.to)) throw new MayNotPostInTarget();
      const earliest = this.earliest(actor, 'move_messages_between_channels_limit_seconds');
      if (earliest !== null && message.sentAt < earliest) throw new TooLateToEdit("'s channel");
    }
    if (move.mode === 'change_all' && !isOnlyMark(move)) await this.checkWholeTopic(db, actor, message, move);
  }

  /** Of a topic that is to move as a whole, no message may be too old. */
  private async checkWholeTopic(
    db: Queryable,
    actor: Actor,
    message: Message,
    move: PlannedMove,
  ): Promise<void> {
    const limits = [
      ...(changesTopic(move) && move.resolution === null
        ? [this.earliest(actor, 'move_messages_within_channel_limit_seconds')]
        : []),
      ...(changesChannel(move) ? [this.earliest(actor, 'move_messages_between_channels_limit_seconds')] : []),
    ].filter((limit) => limit !== null);
    if (limits.length === 0) return;
    const earliest = Math.max(...limits);
    const reach = this.messages.withinReach(actor, [move.from.id]);
    const inTopic = `FROM message m WHERE m.topic_id = ? AND (${reach.sql})`;
    const [oldest] = await db.query<{ sentAt: number }>(
      `SELECT m.sent_at AS "sentAt" ${inTopic} ORDER BY m.id LIMIT 1`,
      [message.topicId, ...reach.values],
    );
    if (!oldest || oldest.sentAt >= earliest) return;
    const [found] = await db.query<Allowed>(
      `SELECT COUNT(*) AS total, SUM(CASE WHEN m.sent_at >= ? THEN 1 ELSE 0 END) AS allowed,
         MIN(CASE WHEN m.sent_at >= ? THEN m.id END) AS first ${inTopic}`,
      [earliest, earliest, message.topicId, ...reach.values],
    );
    const { total, allowed, first } = found as Allowed;
    if (allowed < total) throw new MoveOfTopicTooLate(first, total, allowed);
  }

  private mayResolve(actor: Actor, { from }: PlannedMove): boolean {
    return (
      this.permissions.allowsInOrganization(actor, 'can_resolve_topics_group') ||
      this.channelAccess.holds(actor, from, 'can_resolve_topics_group')
    );
  }

  /** Moderators may move messages of any age. */
  private earliest(
    actor: Actor,
    setting: 'move_messages_within_channel_limit_seconds' | 'move_messages_between_channels_limit_seconds',
  ): number | null {
    if (isModerator(actor)) return null;
    return earliestSentAt(this.clock.nowSeconds(), this.organization.settings[setting]);
  }

  private async topicExists(db: Queryable, { to, topic }: PlannedMove): Promise<boolean> {
    const rows = await db.query('SELECT id FROM topic WHERE channel_id = ? AND name_key = ?', [
      to.id,
      topicKey(topic),
    ]);
    return rows.length > 0;
  }
}
