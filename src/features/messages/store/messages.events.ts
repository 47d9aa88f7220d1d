import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import type { MessageWire } from './messages.wire';

/** A message arrived. The record holds HTML and no flags. */
export const messageArrived = defineEvent<{ message: MessageWire; flags: readonly string[] }>('message');

interface FlagsPayload {
  readonly operation: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
}

/** Where a message is that became unread, so that clients which do not have it can count it. */
export type UnreadPlaceWire =
  | {
      readonly type: 'stream';
      readonly stream_id: number;
      readonly topic: string;
      /** Neither the channel nor the topic is muted. */
      readonly unmuted_stream_msg: boolean;
      readonly mentioned?: true;
    }
  | {
      readonly type: 'private';
      /** The others in the conversation. */
      readonly user_ids: readonly number[];
      readonly mentioned?: true;
    };

/** Messages got a flag from the receiver. */
const flagsAdded = defineEvent<FlagsPayload>('update_message_flags', 'add');
/** Messages lost a flag of the receiver; with `read`, what is needed to count them as unread goes along. */
const flagsRemoved = defineEvent<
  FlagsPayload & { readonly message_details?: Readonly<Record<string, UnreadPlaceWire>> }
>('update_message_flags', 'remove');

/** The receiver has a flag on messages on which they did not have it before. */
export function messageFlagAdded(flag: string, messageIds: readonly number[]): ServerEvent {
  return flagsAdded({ operation: 'add', flag, messages: messageIds, all: false });
}

/** The receiver has a flag no more. @param unread of messages that are not read any more: where each is */
export function messageFlagRemoved(
  flag: string,
  messageIds: readonly number[],
  unread?: Readonly<Record<string, UnreadPlaceWire>>,
): ServerEvent {
  const details = unread && { message_details: unread };
  return flagsRemoved({ operation: 'remove', flag, messages: messageIds, all: false, ...details });
}

/** The receiver has read everything there is. */
export function everythingRead(): ServerEvent {
  return flagsAdded({ operation: 'add', flag: 'read', messages: [], all: true });
}
