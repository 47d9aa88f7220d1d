import { levelChange } from '../level-change';
import { newParameterValue } from '../keys';

export const change248ChannelMessages = levelChange(
  248,
  'Zulip 9.0, feature level 248: `channel` is a type of messages beside `stream`.',
  newParameterValue('POST /messages', 'type', 'channel'),
  newParameterValue('POST /scheduled_messages', 'type', 'channel'),
  newParameterValue('PATCH /scheduled_messages/{scheduled_message_id}', 'type', 'channel'),
  newParameterValue('POST /typing', 'type', 'channel'),
);
