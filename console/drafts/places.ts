import { othersOf, recipientIds, type Place } from '../connection/place';
import type { DraftContent } from '../connection/records';
import { myId } from '../connection/state';
import { draftText } from '../conversations/draft';

/** Where a draft is written: in a conversation, or on the page of a channel, where its topic is written as well. */
export type DraftPlace = Place | { readonly channelId: number };

/** The place that a name of a draft tells. */
export const placeOfName = (name: string) => JSON.parse(name) as DraftPlace;

/** The name of the draft in a conversation. */
export const nameOfPlace = (place: DraftPlace) => JSON.stringify(place);

/** The name of the field for the topic of a draft on the page of a channel. */
export const topicFieldOf = (name: string) => `topic ${name}`;

/** The name of the draft as which a saved one is shown; null where it goes nowhere yet. */
export function nameFor({ type, to, topic }: DraftContent): string | null {
  const [channelId] = to;
  if (type === '' || channelId === undefined) return null;
  if (type === 'private') return nameOfPlace({ userIds: othersOf(to, myId.value) });
  return nameOfPlace(topic === '' ? { channelId } : { channelId, topic });
}

/** A draft of this device as the server takes it. */
export function contentOf(name: string): DraftContent {
  const place = placeOfName(name);
  const content = draftText(name).trim();
  if ('userIds' in place) {
    return { type: 'private', to: recipientIds(place.userIds, myId.value), topic: '', content };
  }
  const topic = 'topic' in place ? place.topic : draftText(topicFieldOf(name));
  return { type: 'stream', to: [place.channelId], topic: topic.trim(), content };
}

/** A short hash of a draft: the store of the device is small, and several states of each draft are kept there. */
export function stateOfDraft({ type, to, topic, content }: DraftContent): string {
  const text = JSON.stringify([type, [...to].sort((one, other) => one - other), topic, content]);
  let [one, other] = [0x811c9dc5, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x5f356495);
  }
  return `${(one >>> 0).toString(36)} ${(other >>> 0).toString(36)}`;
}
