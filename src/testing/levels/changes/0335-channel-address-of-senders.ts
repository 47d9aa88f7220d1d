import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change335ChannelAddressOfSenders = levelChange(
  335,
  'Zulip 10.0, feature level 335: `GET /streams/{stream_id}/email_address` takes `sender_id`.',
  newParameters('GET /streams/{stream_id}/email_address', 'sender_id'),
);
