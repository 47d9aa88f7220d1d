import type { ChannelRecord } from '../../channels/channel.directory';
import type { ReadableMessage } from '../../messages/message.access';
import type { Resolution } from './resolved-topic';

/** Which messages of a topic a move takes along: the one named, those after it as well, or all. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;

export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** An edit as somebody asks for it (messages reference 5.1). */
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
  /** Set where the new name of the topic does nothing but mark it. */
  readonly resolution: Resolution | null;
}

/** A checked edit. */
export interface PlannedEdit {
  readonly message: ReadableMessage['message'];
  /** Normalized; null where the content stays. */
  readonly content: string | null;
  readonly move: PlannedMove | null;
}

export function changesChannel({ from, to }: PlannedMove): boolean {
  return from.id !== to.id;
}

export function changesTopic({ topicBefore, topic }: PlannedMove): boolean {
  return topicBefore !== topic;
}

/** Whether a move leaves messages in their topic, which is only marked. */
export function isOnlyMark(move: PlannedMove): boolean {
  return move.resolution !== null && !changesChannel(move);
}
