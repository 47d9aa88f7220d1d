import { levelChange } from '../level-change';
import { newAnswerKeys } from '../keys';

export const change272UploadAddress = levelChange(
  272,
  'Zulip 9.0, feature level 272: `POST /user_uploads` answers with `url` in place of `uri`.',
  newAnswerKeys('POST /user_uploads', 'url'),
);
