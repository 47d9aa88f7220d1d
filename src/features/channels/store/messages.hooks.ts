import type { Transaction } from '../../../platform/database/transaction.service';
import { defineHook, definePort } from '../../../platform/hooks/hook';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester } from '../../user-groups/user-groups.module';

/** Renders the Markdown of descriptions as safe HTML. The syntax is that of messages, a higher feature. */
interface DescriptionMarkdown {
  render(markdown: string, author: Requester | null): string;
}

/** Renders descriptions. */
export const descriptionRendererPort = definePort<DescriptionMarkdown>('descriptionRendererPort');

/** What channels need to know about messages, a higher feature. */
export interface MessageCounts {
  /** The newest ID; 0 if there are no messages. */
  newestId(db: Queryable): Promise<number>;
  /** The last ID sent before a time. @param time UNIX seconds */
  lastIdBefore(time: number): Promise<number>;
  /** How many messages each channel received after one ID and up to another, by days since 1970. */
  countByChannel(
    after: number,
    last: number,
  ): Promise<{ channelId: number; day: number; messages: number }[]>;
}

/** Counts messages for the traffic of channels, and provides the message IDs that bound subscription periods. */
export const messageCountsPort = definePort<MessageCounts>('messageCountsPort');

/** A topic gets a new name, in the same transaction. */
export const topicNamed =
  defineHook<[tx: Transaction, topic: { readonly id: number; readonly name: string }]>('topicNamed');

/** The row of a topic was deleted with its last message, in the same transaction. */
export const topicRemoved = defineHook<[tx: Transaction, topicId: number]>('topicRemoved');

/** The participants of a topic: each feature returns user IDs for its own kind of participation, in any order. */
export const topicParticipants = defineHook<[db: Queryable, topicId: number], readonly number[]>(
  'topicParticipants',
);

/** A topic in the list of a channel's topics. */
export interface TopicWire {
  readonly name: string;
  readonly max_id: number;
}

/** The facts about topics that come from their messages. */
export interface TopicMessages {
  /** The ID of the newest message of a topic; 0 if it has none. */
  newestIn(db: Queryable, topicId: number): Promise<number>;
  /** Filters messages down to those that the person has in their history. */
  receivedAmong(db: Queryable, messageIds: readonly number[], userId: number): Promise<ReadonlySet<number>>;
  /** The topics of a channel with protected history in which the person received any message, newest first. */
  receivedTopics(db: Queryable, channelId: number, userId: number): Promise<TopicWire[]>;
}

/** Provided by the feature that stores messages. */
export const topicMessagesPort = definePort<TopicMessages>('topicMessagesPort');
