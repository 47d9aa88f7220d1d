import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change281DeletingAnyMessage = levelChange(
  281,
  'Zulip 10.0, feature level 281: The setting `can_delete_any_message_group` of the organization is new.',
  newOrganizationSettings('can_delete_any_message_group'),
);
