import { objectIn, without } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change487PresenceInShort = levelChange(
  487,
  'Zulip 12.0, feature level 487: The presence of a person has `active_timestamp` and `idle_timestamp`.',
  { answers: { 'GET /users/{user}/presence': byClients } },
);

function byClients(answer: Json): void {
  without(objectIn(answer, 'presence'), ['active_timestamp', 'idle_timestamp']);
}
