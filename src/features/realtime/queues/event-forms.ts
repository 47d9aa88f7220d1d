/** An event as an object. */
export type EventObject = Record<string, unknown>;

/** The keys that name the topic in an event. */
const TOPIC_KEYS = ['topic', 'subject', 'orig_subject', 'topic_name'];

/** JSON that may name the empty topic. */
export const EMPTY_TOPIC = new RegExp(`"(${TOPIC_KEYS.join('|')})":""`);

/** The objects in an event that name topics: the event itself, and its details of messages that become unread. */
function topicPlaces(payload: EventObject): EventObject[] {
  return [payload, ...Object.values((payload['message_details'] ?? {}) as Record<string, EventObject>)];
}

/** Whether the event names the empty topic, for which some clients need a name. */
export function hasEmptyTopic(payload: EventObject): boolean {
  return topicPlaces(payload).some((place) => TOPIC_KEYS.some((key) => place[key] === ''));
}

/** Gives the empty topic a name, for clients that do not know it. */
export function nameEmptyTopic(payload: EventObject, name: string): void {
  for (const place of topicPlaces(payload)) {
    for (const key of TOPIC_KEYS) if (place[key] === '') place[key] = name;
  }
}

/** A deletion, for clients that know only deletions of one message. */
export function singleDeletions({ message_ids: messageIds, ...rest }: EventObject): EventObject[] {
  if (!Array.isArray(messageIds)) return [rest];
  return messageIds.map((messageId: unknown) => ({ ...rest, message_id: messageId }));
}
