import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { NeedsExclusive } from '../../../platform/database/database.errors';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  ChannelActivityService,
  type ChannelRecord,
  SubscriptionDirectory,
  TopicRowsService,
  TopicVisibility,
  UserTopicsService,
} from '../../channels/channels.module';
import {
  channelNarrow,
  silentMention,
  SystemMessageService,
  topicReference,
} from '../../messages/messages.module';
import { AccountDirectory, personalSetting } from '../../users/users.module';
import { isOnlyMark, type PlannedMove, type Resolution } from '../rights/planned-edit';
import type { DoneMove } from '../message-changes.api';

/** Where the notification bot should post notices about a move. */
export interface WantedNotices {
  readonly inOldTopic: boolean;
  readonly inNewTopic: boolean;
}

/** A completed move. */
interface MoveToTell {
  readonly plan: PlannedMove;
  readonly done: DoneMove;
  readonly wanted: WantedNotices;
  /** Participants of the topic before the move. */
  readonly participants: ReadonlySet<number>;
}

/**
 * The notification bot's messages about moves. Participants of the topic are notified of moves; for resolved topics,
 * users whose settings ask for it.
 */
@Injectable()
export class MoveNoticesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly activity: ChannelActivityService,
    private readonly messages: SystemMessageService,
    private readonly topics: UserTopicsService,
    private readonly topicRows: TopicRowsService,
    private readonly config: Config,
  ) {}

  /** @throws NeedsExclusive */
  async post(tx: Transaction, actor: Actor, move: MoveToTell): Promise<void> {
    const { plan, done, wanted } = move;
    const person = { id: actor.userId, fullName: this.accounts.byId(actor.userId)?.fullName ?? '' };
    const [firstId = 0] = done.messageIds;
    const count = done.messageIds.length;
    const left = done.isWholeToMover ? 'all' : count;
    const came = done.isWholeToMover && !done.joinsOthersToMover ? 'all' : count;
    const origin = { channelName: plan.from.name, topic: done.from.topic };
    const target = { channelName: plan.to.name, topic: done.to.topic };
    const firstLink = `${this.config.externalUrl}${channelNarrow(plan.to, done.to.topic, { near: firstId })}`;
    const post = async (
      channel: ChannelRecord,
      topic: string,
      isNewsTo: (userId: number) => boolean,
      content: string,
      isResolutionNotice = false,
    ) => {
      if (!tx.isExclusive && this.activity.isDue(channel)) throw new NeedsExclusive();
      const readBy = [...this.subscriptions.subscribersOf(channel.id).ids()].filter(
        (userId) => !isNewsTo(userId),
      );
      await this.messages.sendToChannel(
        tx,
        'notification-bot',
        { channel, topic },
        { content, readBy, isResolutionNotice },
      );
    };
    if (isOnlyMark(plan)) {
      const { channelId, topic } = done.to;
      const policies = await this.topics.policiesFor(tx, channelId, topic);
      const isFollowing = (userId: number) => policies.get(userId) === TopicVisibility.followed;
      const isNewsTo = (userId: number) =>
        userId !== actor.userId && this.wantsResolutionNotice(userId, isFollowing(userId));
      await post(plan.to, topic, isNewsTo, resolutionNotice(person, plan.resolution), true);
      return;
    }
    if (wanted.inNewTopic) {
      const participants = await this.topicRows.participantsOf(tx, done.to.topicId);
      const isNewsTo = (userId: number) => participants.has(userId);
      await post(plan.to, done.to.topic, isNewsTo, arrivalNotice(person, origin, came, firstLink));
    }
    if (wanted.inOldTopic) {
      const isNewsTo = (userId: number) => move.participants.has(userId);
      await post(plan.from, done.from.topic, isNewsTo, departureNotice(person, target, left));
    }
  }

  /** Whether a person wants the notice that a topic was resolved or reopened to be unread. */
  private wantsResolutionNotice(userId: number, isFollowing: boolean): boolean {
    const chosen = this.accounts.byId(userId)?.settings ?? {};
    const policy = personalSetting(chosen, 'resolved_topic_notice_auto_read_policy');
    return policy === 'never' || (policy === 'except_followed' && isFollowing);
  }
}

interface Person {
  readonly id: number;
  readonly fullName: string;
}

/** A topic to link to. */
interface LinkedTopic {
  readonly channelName: string;
  readonly topic: string;
}

/** What moved, as far as the mover can see: the whole topic, or a number of messages. */
type Extent = 'all' | number;

/** Posted in a topic that was resolved or reopened. */
function resolutionNotice(person: Person, resolution: Resolution): string {
  return `${silentMention(person)} has marked this topic as ${resolution}.`;
}

/** Posted in the target topic. */
function arrivalNotice(person: Person, origin: LinkedTopic, extent: Extent, firstLink: string): string {
  return `${movedWhat(extent, `[A message](${firstLink})`)} moved here from ${topicReference(origin)} by ${silentMention(person)}.`;
}

/** Posted in the old topic. */
function departureNotice(person: Person, target: LinkedTopic, extent: Extent): string {
  const from = extent === 'all' ? '' : 'from this topic ';
  return `${movedWhat(extent, 'A message')} moved ${from}to ${topicReference(target)} by ${silentMention(person)}.`;
}

function movedWhat(extent: Extent, one: string): string {
  if (extent === 'all') return 'This topic was';
  return extent === 1 ? `${one} was` : `${extent} messages were`;
}
