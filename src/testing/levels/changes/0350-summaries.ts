import { levelChange } from '../level-change';
import { newOrganizationSettings, newPersonalSettings } from '../settings';
import { newStateKeys } from '../keys';

export const change350Summaries = levelChange(
  350,
  'Zulip 10.0, feature level 350: Topics are summarized: `can_summarize_topics_group`, `server_can_summarize_topics` and the personal setting `hide_ai_features`.',
  newPersonalSettings('hide_ai_features'),
  newOrganizationSettings('can_summarize_topics_group'),
  newStateKeys('server_can_summarize_topics'),
);
