import { type Json, type LevelContext, levelChange } from '../level-change';

export const change472MessagesOfUploads = levelChange(
  472,
  'Zulip 12.0, feature level 472: Files have `message_ids`; before, `messages` with the time of each.',
  { records: { attachment: withTimes } },
);

async function withTimes(file: Json, context: LevelContext): Promise<void> {
  const ids = file['message_ids'];
  if (!Array.isArray(ids)) return;
  const times = await context.sentAt(ids as number[]);
  delete file['message_ids'];
  file['messages'] = (ids as number[]).map((id) => ({ id, ['date_sent']: times.get(id) ?? 0 }));
}
