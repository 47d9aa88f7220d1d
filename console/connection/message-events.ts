import type { State } from './known';
import { othersOf, type Place } from './place';
import { changed, type Reducer } from './reducer';

/** Removes read or deleted messages from the state. */
function readIn(state: State, ids: readonly number[]): Partial<State> {
  const unread = new Map(state.unread);
  for (const id of ids) unread.delete(id);
  const mentions = ids.some((id) => state.mentions.has(id))
    ? new Set([...state.mentions].filter((id) => !ids.includes(id)))
    : state.mentions;
  return { unread, mentions };
}

function mentionedIn(state: State, id: number, flags: readonly string[]): ReadonlySet<number> {
  const isMention = flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'));
  if (isMention === state.mentions.has(id)) return state.mentions;
  const mentions = new Set(state.mentions);
  if (isMention) mentions.add(id);
  else mentions.delete(id);
  return mentions;
}

/** Effects of message events on unread messages, mentions and direct conversations. */
export const messageReducers: Record<string, Reducer> = {
  message: (state, { message, flags }) => {
    const userIds =
      message.type === 'stream'
        ? null
        : othersOf(
            message.display_recipient.map((each: { id: number }) => each.id),
            state.me,
          );
    const place: Place = userIds ? { userIds } : { channelId: message.stream_id, topic: message.subject };
    return {
      ...(userIds && { conversations: changed(state.conversations, userIds.join(), message.id) }),
      ...(!flags.includes('read') && {
        unread: changed(state.unread, message.id, place),
        mentions: mentionedIn(state, message.id, flags),
      }),
    };
  },
  update_message: (state, event) => {
    const ids = event.message_ids as number[];
    const isMoved = event.new_stream_id !== undefined || event.subject !== undefined;
    const unread = new Map(state.unread);
    for (const id of isMoved ? ids : []) {
      const place = unread.get(id);
      if (!place || 'userIds' in place) continue;
      const { channelId, topic } = place;
      unread.set(id, { channelId: event.new_stream_id ?? channelId, topic: event.subject ?? topic });
    }
    const isEdited = 'content' in event && unread.has(event.message_id);
    return {
      ...(isMoved && { unread }),
      ...(isEdited && {
        mentions: mentionedIn(state, event.message_id, event.flags),
      }),
    };
  },
  delete_message: (state, { message_ids, message_id }) => readIn(state, message_ids ?? [message_id]),
  'update_message_flags/add': (state, { flag, messages, all }) => {
    if (flag !== 'read') return {};
    return all ? { unread: new Map(), mentions: new Set() } : readIn(state, messages);
  },
  'update_message_flags/remove': (state, { flag, messages, message_details }) => {
    if (flag !== 'read') return {};
    const unread = new Map(state.unread);
    const mentions = new Set(state.mentions);
    for (const id of messages as number[]) {
      const details = message_details[id];
      unread.set(
        id,
        details.type === 'stream'
          ? { channelId: details.stream_id, topic: details.topic }
          : { userIds: othersOf(details.user_ids, state.me) },
      );
      if (details.mentioned) mentions.add(id);
    }
    return { unread, mentions };
  },
};
