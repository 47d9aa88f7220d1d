/** An unread message, as far as it is told of to clients that register. */
export interface UnreadMessage {
  readonly id: number;
  /** Whether it is in a channel or topic that the reader has muted. */
  readonly isMuted: boolean;
  readonly isMentioned: boolean;
  readonly place:
    | { readonly channelId: number; readonly topic: string }
    /** Everybody in the conversation, ascending. */
    | { readonly memberIds: readonly number[] };
}

/** What a person has not read. */
export interface Unread {
  /** Ascending by ID. */
  readonly messages: readonly UnreadMessage[];
  /** Whether older ones were left out. */
  readonly isTruncated: boolean;
}

interface UnreadPart {
  readonly unread_message_ids: number[];
}

/** `unread_msgs` of the answer to clients that register. */
export interface UnreadWire {
  readonly count: number;
  readonly pms: readonly (UnreadPart & { readonly other_user_id: number; readonly sender_id: number })[];
  readonly huddles: readonly (UnreadPart & { readonly user_ids_string: string })[];
  readonly streams: readonly (UnreadPart & { readonly stream_id: number; readonly topic: string })[];
  readonly mentions: readonly number[];
  readonly old_unreads_missing: boolean;
}

/**
 * @param userId of the reader; any number for a reader without an account, who has nothing unread
 * @param shownTopic how the reader's client is shown the name of a topic
 */
export function unreadWire(
  { messages, isTruncated }: Unread,
  userId: number,
  shownTopic: (topic: string) => string,
): UnreadWire {
  const pairs = new Parts<{ other_user_id: number; sender_id: number }>();
  const groups = new Parts<{ user_ids_string: string }>();
  const topics = new Parts<{ stream_id: number; topic: string }>();
  for (const { id, place } of messages) {
    if ('channelId' in place) {
      const topic = { stream_id: place.channelId, topic: shownTopic(place.topic) };
      topics.add(`${place.channelId} ${place.topic.toLowerCase()}`, topic, id);
    } else if (place.memberIds.length > 2) {
      const members = place.memberIds.join(',');
      groups.add(members, { user_ids_string: members }, id);
    } else {
      const other = place.memberIds.find((memberId) => memberId !== userId) ?? userId;
      pairs.add(String(other), { other_user_id: other, sender_id: other }, id);
    }
  }
  return {
    count: messages.filter(({ isMuted }) => !isMuted).length,
    pms: pairs.all().sort((a, b) => a.other_user_id - b.other_user_id),
    huddles: groups.all().sort((a, b) => compareTexts(a.user_ids_string, b.user_ids_string)),
    streams: topics
      .all()
      .sort(
        (a, b) => a.stream_id - b.stream_id || compareTexts(a.topic.toLowerCase(), b.topic.toLowerCase()),
      ),
    mentions: messages.filter(({ isMentioned }) => isMentioned).map(({ id }) => id),
    old_unreads_missing: isTruncated,
  };
}

/** Messages by their places. */
class Parts<Place extends object> {
  private readonly parts = new Map<string, Place & UnreadPart>();

  add(key: string, place: Place, messageId: number): void {
    const part = this.parts.get(key);
    if (part) part.unread_message_ids.push(messageId);
    else this.parts.set(key, { ...place, unread_message_ids: [messageId] });
  }

  all(): (Place & UnreadPart)[] {
    return [...this.parts.values()];
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
