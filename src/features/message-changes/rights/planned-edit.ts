import type { ChannelRecord } from '../../channels/channels.module';
import { topicKey } from '../../channels/channels.module';
import type { ReadableMessage } from '../../messages/messages.module';
import type { Resolution } from './resolved-topic';

/** Which messages of a topic a move takes along: the one named, those after it as well, or all. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;

/** Which messages of the topic move along: the one, those from it on, or all. */
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** An edit as the request describes it. */
export interface EditRequest {
  /** Markdown. */
  readonly content?: string;
  readonly topic?: string;
  readonly channelId?: number;
  readonly mode: PropagateMode;
  /** SHA-256, in hexadecimal, of the content that the caller believes to replace. */
  readonly prevContentHash?: string;
}

/** Where a checked edit takes messages. */
export interface PlannedMove {
  readonly from: ChannelRecord;
  readonly to: ChannelRecord;
  readonly topicBefore: string;
  /** Normalized. */
  readonly topic: string;
  readonly mode: PropagateMode;
  /** Whether the request names the channel, perhaps the one that the messages are in. */
  readonly namesChannel: boolean;
  /** What the new name says where it differs only by the mark of resolved topics, whichever messages get it. */
  readonly mark: Resolution | null;
  /** The same where the topic as a whole gets it, so that it does nothing but mark it. */
  readonly resolution: Resolution | null;
}

/** A checked edit. */
export interface PlannedEdit {
  readonly message: ReadableMessage['message'];
  /** Normalized; null where the content stays. */
  readonly content: string | null;
  readonly move: PlannedMove | null;
}

/** Whether the messages come into another channel. */
export function changesChannel({ from, to }: PlannedMove): boolean {
  return from.id !== to.id;
}

/** Whether the topic is named otherwise afterwards, if only in upper and lower case. */
export function changesTopic({ topicBefore, topic }: PlannedMove): boolean {
  return topicBefore !== topic;
}

/** Whether the topic stays and is only written otherwise. It has one spelling, so that concerns each of its messages. */
export function isRespelling(move: Pick<PlannedMove, 'from' | 'to' | 'topicBefore' | 'topic'>): boolean {
  return move.from.id === move.to.id && topicKey(move.topicBefore) === topicKey(move.topic);
}

/** Whether a move leaves messages in their topic, which is only marked. */
export function isOnlyMark(move: PlannedMove): move is PlannedMove & { readonly resolution: Resolution } {
  return move.resolution !== null && !changesChannel(move);
}
