import { levelChange } from '../level-change';
import { newCapability } from '../keys';

export const change491SingleEmoji = levelChange(
  491,
  'Zulip 12.0, feature level 491: Clients declare `individual_emoji_changes`.',
  newCapability('individual_emoji_changes'),
);
