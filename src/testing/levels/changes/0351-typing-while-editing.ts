import { levelChange } from '../level-change';
import { newEvents, newRoutes } from '../keys';

export const change351TypingWhileEditing = levelChange(
  351,
  'Zulip 10.0, feature level 351: Clients tell of edits that are under way.',
  newRoutes('POST /messages/{message_id}/typing'),
  newEvents('typing_edit_message'),
);
