import { levelChange } from '../level-change';
import { newParameters, newStateKeys } from '../keys';

export const change415NotesOfReminders = levelChange(
  415,
  'Zulip 11.0, feature level 415: Reminders take a `note`.',
  newParameters('POST /reminders', 'note'),
  newStateKeys('max_reminder_note_length'),
);
