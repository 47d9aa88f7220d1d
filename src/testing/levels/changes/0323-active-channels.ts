import { newKeys } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change323ActiveChannels = levelChange(
  323,
  'Zulip 10.0, feature level 323: Channels have `is_recently_active`.',
  newKeys('channel', 'is_recently_active'),
  { event: notRecentlyActive },
);

function notRecentlyActive(event: Json): Json | null {
  return event['property'] === 'is_recently_active' ? null : event;
}
