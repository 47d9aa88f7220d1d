import { isMutedIn } from '../connection/known';
import { othersOf, topicKey, type Place } from '../connection/place';
import { TOPIC_POLICY, type Message } from '../connection/records';
import { channels, myId, nameOf, organization, organizationText, topicPolicies } from '../connection/state';
import { decoded, encoded, ROOT } from '../router';
import * as words from '../words';

/** The place of a message. */
export function placeOf(message: Message): Place {
  if (message.type === 'stream') return { channelId: message.stream_id!, topic: message.subject };
  const ids = (message.display_recipient as readonly { readonly id: number }[]).map(({ id }) => id);
  return { userIds: othersOf(ids, myId.value) };
}

/**
 * URL of a conversation, or of a whole channel if there is no topic. The empty topic adds nothing to the path.
 * @param near ID of the message to start at
 */
export function hrefOf(place: Place | { readonly channelId: number }, near?: number): string {
  const at = near === undefined ? '' : `?near=${near}`;
  if ('userIds' in place) return `${ROOT}/direct/${place.userIds.join() || myId.value}${at}`;
  const topic = 'topic' in place ? `/topic/${encoded(place.topic)}`.replace(/\/$/, '') : '';
  return `${ROOT}/channels/${place.channelId}${topic}${at}`;
}

/** The conversation or channel of a URL; null for other pages. */
export function placeIn(address: string): Place | { readonly channelId: number } | null {
  const [, kind, place, topic] =
    /^(channels|direct)\/([\d,]+)(\/topic(?:\/.*)?)?$/.exec(address.slice(ROOT.length + 1)) ?? [];
  if (!place) return null;
  if (kind === 'direct') return { userIds: othersOf(place.split(',').map(Number), myId.value) };
  const channelId = Number(place);
  return topic === undefined ? { channelId } : { channelId, topic: decoded(topic.slice(7)) };
}

/** Whether a channel allows messages without a topic. */
export function mayLackTopic(channelId: number): boolean {
  const own = channels.value.get(channelId)?.topics_policy ?? 'inherit';
  const policy = own === 'inherit' ? organization.value['realm_topics_policy'] : own;
  return policy !== 'disable_empty_topic';
}

/** Display name of a topic. The organization chooses the name of the empty topic. */
export function topicName(topic: string): string {
  return topic === '' ? organizationText('realm_empty_topic_display_name') : topic;
}

export function channelName(channelId: number): string {
  return channels.value.get(channelId)?.name ?? words.conversations.unknownChannel;
}

/** Whether a topic is muted for the user. */
export function isMutedTopic(channelId: number, topic: string): boolean {
  return isMutedIn({ topicPolicies: topicPolicies.value, channels: channels.value }, channelId, topic);
}

/** Whether the user muted a conversation, directly or through its channel. */
export function isMutedPlace(place: Place): boolean {
  return 'channelId' in place && isMutedTopic(place.channelId, place.topic);
}

/** Whether the user follows a conversation. */
export function isFollowedPlace(place: Place): boolean {
  if ('userIds' in place) return false;
  return topicPolicies.value.get(topicKey(place.channelId, place.topic)) === TOPIC_POLICY.followed;
}

/** Names of the people in a conversation. */
export function namesOf(userIds: readonly number[]): string {
  if (userIds.length === 0) return words.conversations.notesToSelf;
  return new Intl.ListFormat(words.language, { type: 'unit', style: 'short' }).format(userIds.map(nameOf));
}

/** Display name of a conversation. */
export function placeName(place: Place): string {
  if ('userIds' in place) return namesOf(place.userIds);
  return `#${channelName(place.channelId)} › ${topicName(place.topic)}`;
}
