import { isNamed, objectIn } from '../keys';
import { newChannelSettings, newOrganizationSettings } from '../settings';
import { type Json, levelChange } from '../level-change';

export const change392TopicsPolicy = levelChange(
  392,
  'Zulip 11.0, feature level 392: Channels and the organization have `topics_policy` in place of `mandatory_topics`.',
  newChannelSettings('topics_policy'),
  newOrganizationSettings('topics_policy', 'can_set_topics_policy_group'),
  { asks: { 'PATCH /realm': mandatoryAsPolicy }, event: mandatoryAlone },
);

function mandatoryAsPolicy(parameters: Map<string, string>): void {
  const value = parameters.get('mandatory_topics');
  if (value !== 'true' && value !== 'false') return;
  parameters.delete('mandatory_topics');
  parameters.set('topics_policy', value === 'true' ? 'disable_empty_topic' : 'allow_empty_topic');
}

function mandatoryAlone(event: Json): Json {
  const data = objectIn(event, 'data');
  if (!isNamed(event, 'realm/update_dict') || !('mandatory_topics' in data)) return event;
  const value = data['mandatory_topics'];
  return { id: event['id'], type: 'realm', op: 'update', property: 'mandatory_topics', value };
}
