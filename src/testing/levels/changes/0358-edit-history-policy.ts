import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change358EditHistoryPolicy = levelChange(
  358,
  'Zulip 10.0, feature level 358: `message_edit_history_visibility_policy` takes the place of `allow_edit_history`.',
  newOrganizationSettings('message_edit_history_visibility_policy'),
  { asks: { 'PATCH /realm': historyAsPolicy } },
);

function historyAsPolicy(parameters: Map<string, string>): void {
  const value = parameters.get('allow_edit_history');
  if (value !== 'true' && value !== 'false') return;
  parameters.delete('allow_edit_history');
  parameters.set('message_edit_history_visibility_policy', value === 'true' ? 'all' : 'none');
}
