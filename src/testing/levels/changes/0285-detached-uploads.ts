import { newAnswerKeys } from '../keys';
import { levelChange } from '../level-change';

export const change285DetachedUploads = levelChange(
  285,
  'Zulip 10.0, feature level 285: `PATCH /messages/{message_id}` answers with `detached_uploads`.',
  newAnswerKeys('PATCH /messages/{message_id}', 'detached_uploads'),
);
