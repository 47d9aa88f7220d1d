import { type ChannelRecord, topicKey } from '../../channels/channels.module';
import type { ReadableMessage } from '../../messages/messages.module';

/** Prefix of the names of resolved topics. */
const RESOLVED_PREFIX = '✔ ';

/** The effect of a new name that only resolves or reopens a topic. */
export type Resolution = 'resolved' | 'unresolved';

/**
 * Whether a new name only resolves or reopens a topic.
 * @param normalize truncates a name, as the mark may make it too long
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

/**
 * Whether a name is that of the empty topic with the mark. @param emptyTopicName its display name in the organization
 */
export function isResolvedEmptyTopic(topic: string, emptyTopicName: string): boolean {
  const name = topic.trim();
  return name === RESOLVED_PREFIX.trim() || name === RESOLVED_PREFIX + emptyTopicName;
}

function withoutMarks(topic: string): string {
  let rest = topic;
  while (rest.startsWith(RESOLVED_PREFIX)) rest = rest.slice(RESOLVED_PREFIX.length);
  return rest;
}

/** Which messages of a topic move: the given one, also later ones, or all. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;

/** Which messages of the topic move: the given one, also later ones, or all. */
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** An edit as requested. */
export interface EditRequest {
  /** Markdown. */
  readonly content?: string;
  readonly topic?: string;
  readonly channelId?: number;
  readonly mode: PropagateMode;
  /** SHA-256, in hexadecimal, of the content that the caller expects to replace. */
  readonly prevContentHash?: string;
}

/** The destination of a checked edit. */
export interface PlannedMove {
  readonly from: ChannelRecord;
  readonly to: ChannelRecord;
  readonly topicBefore: string;
  /** Normalized. */
  readonly topic: string;
  readonly mode: PropagateMode;
  /** Whether the request contains a channel, even if it is the current one. */
  readonly namesChannel: boolean;
  /**
   * The effect of the new name if it differs only by the mark of resolved topics, regardless of how many messages move.
   */
  readonly mark: Resolution | null;
  /** Like `mark`, if the whole topic moves, so that it is only resolved or reopened. */
  readonly resolution: Resolution | null;
}

/** A checked edit. */
export interface PlannedEdit {
  readonly message: ReadableMessage['message'];
  /** Normalized; null if the content does not change. */
  readonly content: string | null;
  readonly move: PlannedMove | null;
}

/** Whether the messages move to another channel. */
export function changesChannel({ from, to }: PlannedMove): boolean {
  return from.id !== to.id;
}

/** Whether the topic's name changes, even if only in case. */
export function changesTopic({ topicBefore, topic }: PlannedMove): boolean {
  return topicBefore !== topic;
}

/** Whether the topic stays and only its spelling changes, which affects all its messages. */
export function isRespelling(move: Pick<PlannedMove, 'from' | 'to' | 'topicBefore' | 'topic'>): boolean {
  return move.from.id === move.to.id && topicKey(move.topicBefore) === topicKey(move.topic);
}

/** Whether a move only resolves or reopens the topic. */
export function isOnlyMark(move: PlannedMove): move is PlannedMove & { readonly resolution: Resolution } {
  return move.resolution !== null && !changesChannel(move);
}
