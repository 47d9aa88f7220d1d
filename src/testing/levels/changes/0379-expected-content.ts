import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change379ExpectedContent = levelChange(
  379,
  'Zulip 11.0, feature level 379: `PATCH /messages/{message_id}` takes `prev_content_sha256`.',
  newParameters('PATCH /messages/{message_id}', 'prev_content_sha256'),
);
