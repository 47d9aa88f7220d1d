import { Injectable } from '@nestjs/common';
import { isModerator, type Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  type ChannelRecord,
  PostingAccess,
  TopicRowsService,
} from '../../channels/channels.module';
import { MessageAccess, type ReadableMessage } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { type Explanation, PermissionService } from '../../user-groups/user-groups.module';
import { changesChannel, changesTopic, isOnlyMark, type PlannedMove } from './planned-edit';
import {
  MayNotEditMessage,
  MayNotMoveMessage,
  MayNotPostInTarget,
  MayNotResolveTopics,
  MoveOfTopicTooLate,
  TooLateToEdit,
} from './rights.api';

type Message = ReadableMessage['message'];

interface Allowed {
  total: number;
  allowed: number;
  first: number | null;
}

/** Kinds of moves, and the permissions any of which is sufficient. */
const PERMISSIONS = {
  resolve_topic: {
    ofOrganization: 'can_resolve_topics_group',
    ofChannel: 'can_resolve_topics_group',
  },
  change_topic: {
    ofOrganization: 'can_move_messages_between_topics_group',
    ofChannel: 'can_move_messages_within_channel_group',
  },
  change_channel: {
    ofOrganization: 'can_move_messages_between_channels_group',
    ofChannel: 'can_move_messages_out_of_channel_group',
  },
} as const;

/** A kind of move. */
export type MoveKind = keyof typeof PERMISSIONS;

/** Seconds added to every time limit, for requests already in transit. */
const BUFFER = 20;

/** The earliest time of sending at which a message may still be changed; null if there is no limit. */
export function earliestSentAt(now: number, limit: number | null): number | null {
  return limit === null ? null : now - limit - BUFFER;
}

/** Decides who may move which messages where. */
@Injectable()
export class MessageMoveAccess {
  constructor(
    private readonly permissions: PermissionService,
    private readonly channelAccess: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly messages: MessageAccess,
    private readonly topics: TopicRowsService,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the topic: whether it is valid, and whether the actor may put messages into it.
   * @throws EmptyTopicRefused, NamedTopicRefused, MayNotCreateTopics, MayNotResolveTopics, MayNotEditMessage,
   * TooLateToEdit
   */
  async checkTopic(db: Queryable, actor: Actor, message: Message, move: PlannedMove): Promise<void> {
    if (!isOnlyMark(move)) {
      const exists = () => this.topics.exists(db, move.to.id, move.topic);
      await this.posting.checkTopic(actor, move.to, { name: move.topic, exists });
    }
    if (!changesTopic(move)) return;
    if (move.mark !== null) this.checkMayResolve(actor, move.from);
    if (move.resolution === null) this.checkMayChangeTopic(actor, move.from, message);
  }

  /** Checks that the topic may be resolved or reopened. @throws MayNotResolveTopics */
  checkMayResolve(actor: Actor, channel: ChannelRecord): void {
    if (!this.explain(actor, channel, 'resolve_topic').allowed) throw new MayNotResolveTopics();
  }

  /** Checks that a message may move to another topic. @throws MayNotEditMessage, TooLateToEdit */
  checkMayChangeTopic(actor: Actor, channel: ChannelRecord, { sentAt }: Message): void {
    if (!this.explain(actor, channel, 'change_topic').allowed) throw new MayNotEditMessage();
    const earliest = this.earliest(actor, 'move_messages_within_channel_limit_seconds');
    if (earliest !== null && sentAt < earliest) throw new TooLateToEdit("'s topic");
  }

  /** Checks that a message may leave its channel. @throws MayNotMoveMessage */
  checkMayChangeChannel(actor: Actor, channel: ChannelRecord): void {
    if (!this.explain(actor, channel, 'change_channel').allowed) throw new MayNotMoveMessage();
  }

  /** @throws TooLateToEdit */
  checkNotTooOldToLeave(actor: Actor, { sentAt }: Message): void {
    const earliest = this.earliest(actor, 'move_messages_between_channels_limit_seconds');
    if (earliest !== null && sentAt < earliest) throw new TooLateToEdit("'s channel");
  }

  /** Explains whether a person has the permission for a kind of move, from the organization or the channel. */
  explain(who: Actor, channel: ChannelRecord, way: MoveKind): Explanation {
    const { ofOrganization, ofChannel } = PERMISSIONS[way];
    const organization = this.permissions.explainInOrganization(who, ofOrganization);
    if (organization.allowed) return organization;
    const { allowed, chain } = this.channelAccess.explainHolding(who, channel, ofChannel);
    return { allowed, chain: allowed ? chain : [...organization.chain, ...chain] };
  }

  /**
   * Checks the channel, and the other messages that move.
   * @throws MayNotMoveMessage, MayNotPostInTarget, TooLateToEdit, MoveOfTopicTooLate
   */
  async checkChannel(db: Queryable, actor: Actor, message: Message, move: PlannedMove): Promise<void> {
    if (changesChannel(move)) {
      this.checkMayChangeChannel(actor, move.from);
      if (!this.posting.mayPost(actor, move.to)) throw new MayNotPostInTarget();
      this.checkNotTooOldToLeave(actor, message);
    }
    if (move.mode === 'change_all' && !isOnlyMark(move)) await this.checkWholeTopic(db, actor, message, move);
  }

  /** If a whole topic moves, none of its messages may be too old. */
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

  /** Moderators may move messages of any age. */
  private earliest(
    actor: Actor,
    setting: 'move_messages_within_channel_limit_seconds' | 'move_messages_between_channels_limit_seconds',
  ): number | null {
    if (isModerator(actor)) return null;
    return earliestSentAt(this.clock.nowSeconds(), this.organization.settings[setting]);
  }
}
