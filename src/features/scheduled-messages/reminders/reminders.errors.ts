import { ApiError } from '../../../platform/errors/api-error';

/** No reminder has this ID, or it is somebody else's, or its time has come. */
export class ReminderNotFound extends ApiError {
  constructor() {
    super('Reminder does not exist', { status: 404 });
  }
}

/** A note says more than fits. */
export class NoteTooLong extends ApiError {
  constructor(limit: number) {
    super(`Maximum reminder note length: ${limit} characters`);
  }
}

/** Somebody wants to be reminded of too much. */
export class TooManyReminders extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} reminders.`);
  }
}

/** The reminders of somebody hold too much text. */
export class RemindersTooLarge extends ApiError {
  constructor() {
    super('Your reminders are too large. Delete some of them first.');
  }
}
