import { isNamed, objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change464NewDescription = levelChange(
  464,
  'Zulip 12.0, feature level 464: A new description is told by `realm/update_dict`, with its HTML; before, by `realm/update`.',
  { event: descriptionAlone },
);

function descriptionAlone(event: Json): Json {
  const { description, rendered_description: html } = objectIn(event, 'data');
  if (!isNamed(event, 'realm/update_dict') || html === undefined) return event;
  return { id: event['id'], type: 'realm', op: 'update', property: 'description', value: description };
}
