import { type Json, levelChange } from '../level-change';

export const change380Moderators = levelChange(
  380,
  'Zulip 11.0, feature level 380: `is_moderator` is true for administrators and owners too.',
  { state: moderatorsAlone },
);

function moderatorsAlone(state: Json): void {
  if (state['is_admin'] === true || state['is_owner'] === true) state['is_moderator'] = false;
}
