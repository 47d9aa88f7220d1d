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

/** The same text for equal drafts. */
export function stateOfDraft({ type, to, topic, content }: DraftContent): string {
  return JSON.stringify([type, [...to].sort((one, other) => one - other), topic, content]);
}
