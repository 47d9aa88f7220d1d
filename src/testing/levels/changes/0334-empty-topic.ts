import { newParameters, newStateKeys } from '../keys';
import { levelChange } from '../level-change';
import { EMPTY_TOPIC_READS, emptyTopicAsBefore } from '../empty-topic';

export const change334EmptyTopic = levelChange(
  334,
  'Zulip 10.0, feature level 334: Messages may have no topic; before, `(no topic)` was the topic of those that were sent with none.',
  newStateKeys('realm_empty_topic_display_name'),
  ...EMPTY_TOPIC_READS.map((route) => newParameters(route, 'allow_empty_topic_name')),
  emptyTopicAsBefore(),
);
