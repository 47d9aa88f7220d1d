import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change316MovingBetweenTopics = levelChange(
  316,
  'Zulip 10.0, feature level 316: The group `can_move_messages_between_topics_group` takes the place of `edit_topic_policy`.',
  ...policyBefore('can_move_messages_between_topics_group', 'edit_topic_policy', {
    ...COMMON_POLICY,
    'role:everyone': 5,
    'role:nobody': 6,
  }),
);
