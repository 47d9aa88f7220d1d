import { levelChange } from '../level-change';

export const change260ChangingMentionGroups = levelChange(
  260,
  'Zulip 9.0, feature level 260: `can_mention_group` is changed by an object with `new`; before, by a number.',
  { asks: { 'PATCH /user_groups/{user_group_id}': numberAsNew } },
);

function numberAsNew(parameters: Map<string, string>): void {
  const value = parameters.get('can_mention_group');
  if (value === undefined) return;
  // An object is refused for what it is.
  parameters.set('can_mention_group', /^\d+$/.test(value) ? `{"new": ${value}}` : `no number: ${value}`);
}
