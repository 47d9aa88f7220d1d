import type { Place } from '../connection/place';
import { othersOf } from '../connection/place';
import type { Message } from '../connection/records';
import { channels, myId, nameOf, organizationText } from '../connection/state';
import { encoded, ROOT } from '../router';
import * as words from '../words';

/** Where a message is. */
export function placeOf(message: Message): Place {
  if (message.type === 'stream') return { channelId: message.stream_id!, topic: message.subject };
  const ids = (message.display_recipient as readonly { readonly id: number }[]).map(({ id }) => id);
  return { userIds: othersOf(ids, myId.value) };
}

/**
 * The page of a conversation, or of a whole channel if no topic is given. The empty topic is named by nothing.
 * @param near the message to begin at, by its ID
 */
export function hrefOf(place: Place | { readonly channelId: number }, near?: number): string {
  const at = near === undefined ? '' : `?near=${near}`;
  if ('userIds' in place) return `${ROOT}/direct/${place.userIds.join() || myId.value}${at}`;
  const topic = 'topic' in place ? `/topic/${encoded(place.topic)}`.replace(/\/$/, '') : '';
  return `${ROOT}/channels/${place.channelId}${topic}${at}`;
}

/** The name of a topic: the empty one has one that the organization chose. */
export function topicName(topic: string): string {
  return topic === '' ? organizationText('realm_empty_topic_display_name') : topic;
}

export function channelName(channelId: number): string {
  return channels.value.get(channelId)?.name ?? words.conversations.unknownChannel;
}

/** The people of a conversation by name. */
export function namesOf(userIds: readonly number[]): string {
  if (userIds.length === 0) return words.conversations.notesToSelf;
  return new Intl.ListFormat('en', { type: 'unit', style: 'short' }).format(userIds.map(nameOf));
}

/** A conversation in words. */
export function placeName(place: Place): string {
  if ('userIds' in place) return namesOf(place.userIds);
  return `#${channelName(place.channelId)} › ${topicName(place.topic)}`;
}
