import { levelChange } from '../level-change';
import { newAnswerKeys } from '../keys';

export const change286UploadName = levelChange(
  286,
  'Zulip 10.0, feature level 286: `POST /user_uploads` answers with `filename`.',
  newAnswerKeys('POST /user_uploads', 'filename'),
);
