import { isNamed } from '../keys';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change452ExpiredMessages = levelChange(
  452,
  'Zulip 12.0, feature level 452: Messages that go by retention are told by `delete_message`.',
  { event: untold },
);

function untold(event: Json, context: LevelContext): Json | null {
  if (!isNamed(event, 'delete_message')) return event;
  const ids = (event['message_ids'] ?? [event['message_id']]) as number[];
  return ids.every((id) => context.hasExpired(id)) ? null : event;
}
