import { type Json, type LevelContext, levelChange } from '../level-change';

export const change327IncomingDirectMessages = levelChange(
  327,
  'Zulip 10.0, feature level 327: `recipient_id` of a direct message between two names their conversation; before, all that came in had the same.',
  { records: { message: ofTheReader } },
);

/** Above the numbers of all conversations, and odd as they are. */
const FIRST_READER = 1_000_000_001;

function ofTheReader(message: Json, { asker }: LevelContext): void {
  const people = message['display_recipient'];
  const isIncoming = message['sender_id'] !== asker;
  if (asker !== null && isIncoming && Array.isArray(people) && people.length === 2)
    message['recipient_id'] = FIRST_READER + 2 * asker;
}
