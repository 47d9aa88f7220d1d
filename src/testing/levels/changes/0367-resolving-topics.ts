import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change367ResolvingTopics = levelChange(
  367,
  'Zulip 10.0, feature level 367: The setting `can_resolve_topics_group` of the organization is new.',
  newOrganizationSettings('can_resolve_topics_group'),
);
