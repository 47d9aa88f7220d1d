import { levelChange } from '../level-change';
import { newCapability, newParameters, newStateKeys } from '../keys';

export const change334EmptyTopic = levelChange(
  334,
  'Zulip 10.0, feature level 334: Messages may have no topic, for clients that declare `empty_topic_name`.',
  newCapability('empty_topic_name'),
  newStateKeys('realm_empty_topic_display_name'),
  newParameters('GET /messages', 'allow_empty_topic_name'),
  newParameters('GET /messages/{message_id}', 'allow_empty_topic_name'),
  newParameters('GET /messages/{message_id}/history', 'allow_empty_topic_name'),
  newParameters('GET /users/me/{stream_id}/topics', 'allow_empty_topic_name'),
);
