import { levelChange } from '../level-change';
import { newAnswerKeys } from '../keys';

export const change355FlagsOfUnsubscribed = levelChange(
  355,
  'Zulip 10.0, feature level 355: Changing flags answers with `ignored_because_not_subscribed_channels`.',
  newAnswerKeys('POST /messages/flags', 'ignored_because_not_subscribed_channels'),
  newAnswerKeys('POST /messages/flags/narrow', 'ignored_because_not_subscribed_channels'),
);
