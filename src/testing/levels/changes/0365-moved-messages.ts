import { type Json, levelChange } from '../level-change';

export const change365MovedMessages = levelChange(
  365,
  'Zulip 10.0, feature level 365: Messages have `last_moved_timestamp`; before, `last_edit_timestamp` told of moves too.',
  { records: { message: oneTimestamp } },
);

function oneTimestamp(message: Json): void {
  const { last_moved_timestamp: moved = 0, last_edit_timestamp: edited = 0 } = message;
  delete message['last_moved_timestamp'];
  const last = Math.max(Number(moved), Number(edited));
  if (last > 0) message['last_edit_timestamp'] = last;
}
