import { isNamed } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change343DeletedChannels = levelChange(
  343,
  'Zulip 10.0, feature level 343: `stream/delete` has `stream_ids` beside `streams`.',
  { event: withoutIds },
);

function withoutIds(event: Json): Json {
  if (!isNamed(event, 'stream/delete')) return event;
  const { stream_ids: ids, ...rest } = event;
  return { ...rest, ['streams']: rest['streams'] ?? (ids as number[]).map((id) => ({ ['stream_id']: id })) };
}
