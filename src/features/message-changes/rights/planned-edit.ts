import { type ChannelRecord, topicKey } from '../../channels/channels.module';
import type { ReadableMessage } from '../../messages/messages.module';

/** What the name of a resolved topic begins with. */
const RESOLVED_PREFIX = '✔ ';

/** What marking a topic does, where a change of its name is nothing else. */
export type Resolution = 'resolved' | 'unresolved';

/**
 * Whether a new name does nothing but mark a topic as resolved, or take the mark away.
 * @param normalize cuts a name to its longest, as marking may make it too long
 */
export function resolutionBetween(
  before: string,
  after: string,
  normalize: (topic: string) => string,
): Resolution | null {
  const wasResolved = before.startsWith(RESOLVED_PREFIX);
  if (!wasResolved && after === normalize(RESOLVED_PREFIX + before)) return 'resolved';
  if (wasResolved && after === withoutMarks(before)) return 'unresolved';
  return null;
}

/** Whether a name is that of the empty topic with the mark. @param emptyTopicName how the organization displays it */
export function isResolvedEmptyTopic(topic: string, emptyTopicName: string): boolean {
  const name = topic.trim();
  return name === RESOLVED_PREFIX.trim() || name === RESOLVED_PREFIX + emptyTopicName;
}

function withoutMarks(topic: string): string {
  let rest = topic;
  while (rest.startsWith(RESOLVED_PREFIX)) rest = rest.slice(RESOLVED_PREFIX.length);
  return rest;
}

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
