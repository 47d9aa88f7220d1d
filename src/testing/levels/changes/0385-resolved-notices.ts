import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change385ResolvedNotices = levelChange(
  385,
  'Zulip 11.0, feature level 385: The personal setting `resolved_topic_notice_auto_read_policy` is new.',
  newPersonalSettings('resolved_topic_notice_auto_read_policy'),
);
