import { isNamed } from '../keys';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change330DefaultChannels = levelChange(
  330,
  'Zulip 10.0, feature level 330: Default channels are listed by ID; before, as records.',
  { state: withRecords, event: withRecordsInEvent },
);

function asRecords(ids: unknown, context: LevelContext): unknown {
  if (!Array.isArray(ids)) return ids;
  return ids.map((id: number) => {
    const { name = '', description = '', isPrivate = false } = context.channel(id) ?? {};
    return { ['stream_id']: id, name, description, invite_only: isPrivate };
  });
}

function withRecordsInGroups(groups: unknown, context: LevelContext): void {
  for (const group of Array.isArray(groups) ? (groups as Json[]) : [])
    group['streams'] = asRecords(group['streams'], context);
}

function withRecords(state: Json, context: LevelContext): void {
  if ('realm_default_streams' in state)
    state['realm_default_streams'] = asRecords(state['realm_default_streams'], context);
  withRecordsInGroups(state['realm_default_stream_groups'], context);
}

function withRecordsInEvent(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'default_streams'))
    event['default_streams'] = asRecords(event['default_streams'], context);
  if (isNamed(event, 'default_stream_groups')) withRecordsInGroups(event['default_stream_groups'], context);
  return event;
}
