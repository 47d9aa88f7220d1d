import type { Reminder } from './reminder.entity';

/** A reminder as its owner sees it. */
export interface ReminderWire {
  readonly reminder_id: number;
  readonly type: 'private';
  /** The owner. */
  readonly to: readonly number[];
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  readonly reminder_target_message_id: number;
}

/** The record of a reminder. */
export function reminderWire(reminder: Reminder): ReminderWire {
  return {
    reminder_id: reminder.id,
    type: 'private',
    to: [reminder.userId],
    content: reminder.content,
    rendered_content: reminder.renderedContent,
    scheduled_delivery_timestamp: reminder.deliverAt,
    failed: reminder.hasFailed,
    reminder_target_message_id: reminder.targetMessageId,
  };
}
