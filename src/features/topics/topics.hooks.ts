import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook, definePort } from '../../platform/hooks/hook';

/** A topic has a name that it did not have before, in the transaction that gives it the name. */
export const topicNamed =
  defineHook<[tx: Transaction, topic: { readonly id: number; readonly name: string }]>('topicNamed');

/** The row of a topic went with its last message, in the same transaction. */
export const topicRemoved = defineHook<[tx: Transaction, topicId: number]>('topicRemoved');

/** Who took part in a topic, each feature by its own kind of taking part: the user IDs, in any order. */
export const topicParticipants = defineHook<[db: Queryable, topicId: number], readonly number[]>(
  'topicParticipants',
);

/** A topic of which somebody received messages, and the newest of those. */
export interface ReceivedTopic {
  readonly name: string;
  readonly max_id: number;
}

/** Knows what people received in channels whose history is protected. */
export interface ReceivedTopics {
  /** The topics of a channel in which the person received anything, the one with the newest first. */
  receivedTopics(db: Queryable, channelId: number, userId: number): Promise<ReceivedTopic[]>;
}

/** Provided by the feature that stores messages. */
export const receivedTopicsPort = definePort<ReceivedTopics>('receivedTopicsPort');
