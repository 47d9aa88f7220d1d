import { signal } from '@preact/signals';
import { call } from '../connection/call';
import { topicKey } from '../connection/place';
import type { Message } from '../connection/records';
import { epoch, onEvent } from '../connection/state';

export interface Topic {
  readonly name: string;
  readonly max_id: number;
}

/** Topics of visited channels, newest first. */
export const topicsOf = signal<ReadonlyMap<number, readonly Topic[]>>(new Map());

const fresh = new Map<number, number>();

/** Loads the topics of a channel, unless they are up to date. */
export async function loadTopics(channelId: number): Promise<void> {
  if (fresh.get(channelId) === epoch.value) return;
  fresh.set(channelId, epoch.value);
  try {
    const { topics } = await call<{ topics: Topic[] }>('GET', `users/me/${channelId}/topics`, {
      allow_empty_topic_name: true,
    });
    topicsOf.value = new Map([...topicsOf.value, [channelId, topics]]);
  } catch {
    fresh.delete(channelId);
  }
}

onEvent((event) => {
  if (event.type === 'message' && event.message.type === 'stream') {
    const { stream_id: channelId, subject, id } = event.message as Message & { readonly stream_id: number };
    const known = topicsOf.value.get(channelId);
    if (!known) return;
    const key = topicKey(channelId, subject);
    const others = known.filter(({ name }) => topicKey(channelId, name) !== key);
    topicsOf.value = new Map([...topicsOf.value, [channelId, [{ name: subject, max_id: id }, ...others]]]);
  }
  const isMove =
    event.type === 'update_message' && (event.subject !== undefined || event.new_stream_id !== undefined);
  if (!isMove && event.type !== 'delete_message') return;
  for (const channelId of [event.stream_id, event.new_stream_id] as (number | undefined)[]) {
    if (channelId === undefined || !fresh.delete(channelId)) continue;
    void loadTopics(channelId);
  }
});
