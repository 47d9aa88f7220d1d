import { defineEvent } from '../../platform/events/server-event';
import type { ScheduledMessageWire } from './scheduled-messages.wire';

/** The receiver scheduled messages. */
export const scheduledMessagesAdded = defineEvent<{ scheduled_messages: readonly ScheduledMessageWire[] }>(
  'scheduled_messages',
  'add',
);

/** The receiver edited a scheduled message, or it could not be sent. */
export const scheduledMessageUpdated = defineEvent<{ scheduled_message: ScheduledMessageWire }>(
  'scheduled_messages',
  'update',
);

/** A scheduled message of the receiver was sent or deleted. */
export const scheduledMessageRemoved = defineEvent<{ scheduled_message_id: number }>(
  'scheduled_messages',
  'remove',
);
