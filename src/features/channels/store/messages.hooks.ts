import type { Transaction } from '../../../platform/database/transaction.service';
import { defineHook, definePort } from '../../../platform/hooks/hook';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester } from '../../user-groups/user-groups.module';

/** Turns the Markdown of descriptions into safe HTML. They are written like messages, which stand above channels. */
interface DescriptionMarkdown {
  render(markdown: string, author: Requester | null): string;
}

/** Renders descriptions. */
export const descriptionRendererPort = definePort<DescriptionMarkdown>('descriptionRendererPort');

/** What channels ask about messages, which stand above them. */
export interface MessageCounts {
  /** The newest ID; 0 while there is no message. */
  newestId(db: Queryable): Promise<number>;
  /** The last ID sent before a time. @param time UNIX seconds */
  lastIdBefore(time: number): Promise<number>;
  /** How many messages after one ID and up to another each channel got, by days since 1970. */
  countByChannel(
    after: number,
    last: number,
  ): Promise<{ channelId: number; day: number; messages: number }[]>;
}

/** Counts messages for the traffic of channels and for the stretches of subscriptions. */
export const messageCountsPort = definePort<MessageCounts>('messageCountsPort');

/** A topic has a name that it did not have before, in the transaction that gives it the name. */
export const topicNamed =
  defineHook<[tx: Transaction, topic: { readonly id: number; readonly name: string }]>('topicNamed');

/** The row of a topic went with its last message, in the same transaction. */
export const topicRemoved = defineHook<[tx: Transaction, topicId: number]>('topicRemoved');

/** Who took part in a topic, each feature by its own kind of taking part: the user IDs, in any order. */
export const topicParticipants = defineHook<[db: Queryable, topicId: number], readonly number[]>(
  'topicParticipants',
);

/** A topic of a channel as lists of topics have it. */
export interface TopicWire {
  readonly name: string;
  readonly max_id: number;
}

/** What only the messages of topics tell. */
export interface TopicMessages {
  /** The ID of the newest message of a topic; 0 where it has none. */
  newestIn(db: Queryable, topicId: number): Promise<number>;
  /** Those of the messages that the person has in their history. */
  receivedAmong(db: Queryable, messageIds: readonly number[], userId: number): Promise<ReadonlySet<number>>;
  /** The topics of a channel with protected history in which the person received anything, newest first. */
  receivedTopics(db: Queryable, channelId: number, userId: number): Promise<TopicWire[]>;
}

/** Provided by the feature that stores messages. */
export const topicMessagesPort = definePort<TopicMessages>('topicMessagesPort');
