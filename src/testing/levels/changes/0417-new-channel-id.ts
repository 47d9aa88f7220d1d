import { levelChange } from '../level-change';
import { newAnswerKeys } from '../keys';

export const change417NewChannelId = levelChange(
  417,
  'Zulip 11.0, feature level 417: `POST /channels/create` answers with `id`.',
  newAnswerKeys('POST /channels/create', 'id'),
);
