import { levelChange } from '../level-change';
import { otherValue } from '../keys';

export const change443TimeOfUploads = levelChange(
  443,
  'Zulip 12.0, feature level 443: `create_time` of files is in seconds; before, in milliseconds.',
  otherValue('attachment', 'create_time', (seconds) => Number(seconds) * 1_000),
);
