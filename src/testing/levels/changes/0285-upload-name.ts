import { levelChange } from '../level-change';
import { newAnswerKeys } from '../keys';

export const change285UploadName = levelChange(
  285,
  'Zulip 10.0, feature level 285: `POST /user_uploads` answers with `filename`.',
  newAnswerKeys('POST /user_uploads', 'filename'),
);
