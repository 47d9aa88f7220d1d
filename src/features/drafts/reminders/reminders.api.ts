import type { Reminder } from '../drafts.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { LATEST_DELIVERY } from '../scheduled/scheduled-messages.api';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A reminder as sent to its owner. */
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

/** The limit that clients receive in their initial state, in any case. */
export const MAX_NOTE_LENGTH = 1_000;

/** Parameters of `POST /reminders`. */
export class AddReminderDto {
  /** ID of the message. */
  @Parameter(json.integer())
  message_id!: number;

  /** When to remind the caller, in UNIX seconds. */
  @Parameter(json.integer({ max: LATEST_DELIVERY }))
  scheduled_delivery_timestamp!: number;

  /** A note to include in the reminder. */
  @Parameter(text(), { optional: true, checked: { maxLength: MAX_NOTE_LENGTH } })
  note?: string;
}

/** Parameters of `DELETE /reminders/{reminder_id}`. */
export class DeleteReminderDto {
  /** ID of the reminder. */
  @PathParameter()
  reminder_id!: number;
}

/** The recipient created reminders. */
export const remindersAdded = defineEvent<{ reminders: readonly ReminderWire[] }>('reminders', 'add');

/** A reminder of the recipient was delivered or deleted. */
export const reminderRemoved = defineEvent<{ reminder_id: number }>('reminders', 'remove');

/** No pending reminder of the caller has this ID. */
export class ReminderNotFound extends refusal('Reminder does not exist', { status: 404 }) {}

/** The note exceeds the maximum length. */
export class NoteTooLong extends ApiError {
  constructor(limit: number) {
    super(`Maximum reminder note length: ${limit} characters`);
  }
}

/** The limit on reminders is reached. */
export class TooManyReminders extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} reminders.`);
  }
}

/** The caller's reminders contain too much text. */
export class RemindersTooLarge extends refusal('Reminders too large. Delete some first.') {}
