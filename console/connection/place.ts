/** Where messages are: a topic of a channel, or among people (the reader left out, in order of their IDs). */
export type Place =
  { readonly channelId: number; readonly topic: string } | { readonly userIds: readonly number[] };

/** The same for equal places: topics are the same in any case. */
export function placeKey(place: Place): string {
  return 'userIds' in place ? `d${place.userIds.join()}` : topicKey(place.channelId, place.topic);
}

/** The key of a topic alone. */
export function topicKey(channelId: number, topic: string): string {
  return `c${channelId} ${topic.toLowerCase()}`;
}

/** The recipients of a direct message: the sender alone in messages to oneself. */
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
