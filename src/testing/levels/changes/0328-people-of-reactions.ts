import { type Json, type LevelContext, levelChange } from '../level-change';

export const change328PeopleOfReactions = levelChange(
  328,
  'Zulip 10.0, feature level 328: Reactions of messages no longer have `user`.',
  { records: { message: addPeople } },
);

function addPeople({ reactions }: Json, context: LevelContext): void {
  for (const reaction of Array.isArray(reactions) ? (reactions as Json[]) : []) {
    const id = Number(reaction['user_id']);
    const { email, full_name } = context.account(id) ?? { email: '', full_name: '' };
    reaction['user'] = { id, email, full_name, is_mirror_dummy: false };
  }
}
