/** Where messages are: a topic of a channel, or a conversation (the other members, ordered by ID). */
export type Place =
  { readonly channelId: number; readonly topic: string } | { readonly userIds: readonly number[] };

/** The key of a place; equal for equal places. Topics are case-insensitive. */
export function placeKey(place: Place): string {
  return 'userIds' in place ? `d${place.userIds.join()}` : topicKey(place.channelId, place.topic);
}

/** The key of a topic. */
export function topicKey(channelId: number, topic: string): string {
  return `c${channelId} ${topic.toLowerCase()}`;
}

/** Recipients of a direct message; messages to oneself name only the sender. */
export const recipientIds = (userIds: readonly number[], me: number) => (userIds.length > 0 ? userIds : [me]);

/** Parameters that address a message to a place. */
export function recipientOf(place: Place, me: number) {
  return 'userIds' in place
    ? { type: 'direct', to: recipientIds(place.userIds, me) }
    : { type: 'channel', to: place.channelId, topic: place.topic };
}

/** The other members of a conversation; empty for messages to oneself. */
export function othersOf(userIds: readonly number[], me: number): number[] {
  return userIds.filter((id) => id !== me).sort((one, other) => one - other);
}
