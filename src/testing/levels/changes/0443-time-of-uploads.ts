import { objectsIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change443TimeOfUploads = levelChange(
  443,
  'Zulip 12.0, feature level 443: `create_time` and `date_sent` of files are in seconds; before, in milliseconds.',
  { records: { attachment: inMilliseconds } },
);

function inMilliseconds(file: Json): void {
  if ('create_time' in file) file['create_time'] = Number(file['create_time']) * 1_000;
  for (const message of objectsIn(file, 'messages'))
    message['date_sent'] = Number(message['date_sent']) * 1_000;
}
