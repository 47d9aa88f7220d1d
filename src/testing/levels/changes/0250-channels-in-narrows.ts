import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change250ChannelsInNarrows = levelChange(
  250,
  'Zulip 9.0, feature level 250: Filters of messages say `channel` and `channels`, beside `stream` and `streams`.',
  newNarrowTerms('channel', 'channels'),
);
