import { declareCapability } from './client-memory';
import { isNamed, objectIn, objectsIn } from './keys';
import type { ChangePart, Json, LevelContext } from './level-change';

const LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/**
 * No client knew archived channels: one that was archived went, and yet what changed about it was told. Such events only
 * come to clients that know of them today, so that each of them is made one.
 */
export function archivedChannelsAsGone(): ChangePart {
  return {
    asks: { 'POST /register': (parameters) => declareCapability(parameters, 'archived_channels') },
    state: withoutArchived,
    event: archivingAsDeletion,
  };
}

function withoutArchived(state: Json, context: LevelContext): void {
  const isThere = ({ stream_id: id }: Json) => !context.channel(Number(id))?.isArchived;
  for (const list of LISTS) if (list in state) state[list] = objectsIn(state, list).filter(isThere);
  const unread = objectIn(state, 'unread_msgs');
  const topics = objectsIn(unread, 'streams');
  const gone = new Set(topics.filter((topic) => !isThere(topic)).flatMap((topic) => messagesOf(topic)));
  if (gone.size === 0) return;
  unread['streams'] = topics.filter(isThere);
  unread['count'] = Number(unread['count']) - gone.size;
  unread['mentions'] = (unread['mentions'] as number[]).filter((id) => !gone.has(id));
}

function messagesOf(topic: Json): number[] {
  return topic['unread_message_ids'] as number[];
}

/** No request brought a channel back, so that nothing is told of that. */
function archivingAsDeletion(event: Json): Json | null {
  const { property, value, stream_id: id } = event;
  if (!isNamed(event, 'stream/update') || property !== 'is_archived') return event;
  if (value !== true) return null;
  return {
    id: event['id'],
    type: 'stream',
    op: 'delete',
    ['streams']: [{ ['stream_id']: id }],
    ['stream_ids']: [id],
  };
}
