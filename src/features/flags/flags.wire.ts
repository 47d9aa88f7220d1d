import type { UnreadPlaceWire } from '../messages';

/** The answer to a change in a narrow. */
export interface NarrowFlagsWire {
  readonly processed_count: number;
  readonly updated_count: number;
  /** Null when the range holds no message, as is the next. */
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  /** Empty unless messages were to become unread; clients require it of every change. */
  readonly ignored_because_not_subscribed_channels: readonly number[];
}

/** What the answer says of messages that stayed read: only where messages were to become unread. */
export function ignoredChannelsWire(
  change: { readonly op: string; readonly flag: string },
  channelIds: readonly number[],
): { ignored_because_not_subscribed_channels?: readonly number[] } {
  const isReported = change.flag === 'read' && change.op === 'remove';
  return isReported ? { ignored_because_not_subscribed_channels: channelIds } : {};
}

/** Where an unread message of a channel is, as events tell it. */
export function topicPlaceWire(
  channelId: number,
  topic: string,
  { isMuted, isMentioned }: { readonly isMuted: boolean; readonly isMentioned: boolean },
): UnreadPlaceWire {
  return {
    type: 'stream',
    stream_id: channelId,
    topic,
    unmuted_stream_msg: !isMuted,
    ...(isMentioned ? { mentioned: true } : {}),
  };
}

/** Where an unread direct message is. @param others in the conversation */
export function conversationPlaceWire(others: readonly number[], isMentioned: boolean): UnreadPlaceWire {
  return { type: 'private', user_ids: others, ...(isMentioned ? { mentioned: true } : {}) };
}
