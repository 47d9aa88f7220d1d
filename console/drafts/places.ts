import { othersOf, recipientIds, type Place } from '../connection/place';
import type { DraftContent } from '../connection/records';
import { myId } from '../connection/state';
import { draftText } from '../conversations/draft';

/** Where a draft is written: in a conversation, or on a channel's page, together with its topic. */
export type DraftPlace = Place | { readonly channelId: number };

/** The place encoded in the name of a draft. */
export const placeOfName = (name: string) => JSON.parse(name) as DraftPlace;

/** The name of a conversation's draft. */
export const nameOfPlace = (place: DraftPlace) => JSON.stringify(place);

/** The name of the topic field of a draft on a channel's page. */
export const topicFieldOf = (name: string) => `topic ${name}`;

/** The name of the draft that shows a saved one; null if it has no recipient yet. */
export function nameFor({ type, to, topic }: DraftContent): string | null {
  const [channelId] = to;
  if (type === '' || channelId === undefined) return null;
  if (type === 'private') return nameOfPlace({ userIds: othersOf(to, myId.value) });
  return nameOfPlace(topic === '' ? { channelId } : { channelId, topic });
}

/** A draft of this device in the server's format. */
export function contentOf(name: string): DraftContent {
  const place = placeOfName(name);
  const content = draftText(name).trim();
  if ('userIds' in place) {
    return { type: 'private', to: recipientIds(place.userIds, myId.value), topic: '', content };
  }
  const topic = 'topic' in place ? place.topic : draftText(topicFieldOf(name));
  return { type: 'stream', to: [place.channelId], topic: topic.trim(), content };
}

/** A short hash of a draft, because the device's storage is small and keeps several states per draft. */
export function stateOfDraft({ type, to, topic, content }: DraftContent): string {
  const text = JSON.stringify([type, [...to].sort((one, other) => one - other), topic, content]);
  let [one, other] = [0x811c9dc5, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x5f356495);
  }
  return `${(one >>> 0).toString(36)} ${(other >>> 0).toString(36)}`;
}
