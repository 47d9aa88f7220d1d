import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { MessageWire } from './messages.wire';

/** A message arrived (messages reference 8.1). The record holds HTML and no flags. */
export const messageArrived = defineEvent<{ message: MessageWire; flags: readonly string[] }>('message');

interface FlagsPayload {
  readonly operation: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
}

const flagsAdded = defineEvent<FlagsPayload>('update_message_flags', 'add');

/** The receiver has a flag on messages on which he did not have it before (groups reference 9.5). */
export function messageFlagAdded(flag: string, messageIds: readonly number[]): ServerEvent {
  return flagsAdded({ operation: 'add', flag, messages: messageIds, all: false });
}
