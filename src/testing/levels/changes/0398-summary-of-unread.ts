import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change398SummaryOfUnread = levelChange(
  398,
  'Zulip 11.0, feature level 398: The personal setting `web_left_sidebar_unreads_count_summary` is new.',
  newPersonalSettings('web_left_sidebar_unreads_count_summary'),
);
