import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change402ResolvingInChannels = levelChange(
  402,
  'Zulip 11.0, feature level 402: Channels have the new setting `can_resolve_topics_group`.',
  newChannelSettings('can_resolve_topics_group'),
);
