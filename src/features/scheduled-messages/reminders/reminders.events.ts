import { defineEvent } from '../../../platform/events/server-event';
import type { ReminderWire } from './reminders.wire';

/** The receiver asked to be reminded. */
export const remindersAdded = defineEvent<{ reminders: readonly ReminderWire[] }>('reminders', 'add');

/** The receiver was reminded, or no longer wants to be. */
export const reminderRemoved = defineEvent<{ reminder_id: number }>('reminders', 'remove');
