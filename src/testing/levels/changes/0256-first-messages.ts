import { isNamed } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change256FirstMessages = levelChange(
  256,
  'Zulip 9.0, feature level 256: `stream/update` tells of a new `first_message_id` where the oldest message was deleted.',
  { event: untold },
);

function untold(event: Json): Json | null {
  return isNamed(event, 'stream/update') && event['property'] === 'first_message_id' ? null : event;
}
