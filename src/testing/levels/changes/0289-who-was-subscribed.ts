import { objectIn } from '../keys';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change289WhoWasSubscribed = levelChange(
  289,
  'Zulip 10.0, feature level 289: `subscribed` and `already_subscribed` are by IDs of people; before, by their addresses.',
  { answers: { 'POST /users/me/subscriptions': byAddress } },
);

function byAddress(answer: Json, context: LevelContext): void {
  for (const key of ['subscribed', 'already_subscribed']) {
    const byId = Object.entries(objectIn(answer, key));
    answer[key] = Object.fromEntries(
      byId.map(([id, names]) => [context.account(Number(id))?.email ?? id, names]),
    );
  }
}
