import type { MessageRow } from './message-rows.service';
import type { PlaceWire } from './message-records.api';

/** The record of a message as JSON, for answers that hold hundreds. */
export interface RecordText {
  /** What stands between the braces: more members may follow. */
  readonly members: string;
  /** As the record shows it. */
  readonly topic: string;
}

/** What stands between the braces of an object's JSON. @param object has at least one key */
export function jsonMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** The function, asked once for each key. */
export function kept<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) values.set(key, (value = of(key)));
    return value;
  };
}

interface PlaceText {
  readonly topic: string;
  readonly text: string;
}

/** Writes the topics and conversations of one answer's messages, each of them once. */
export class PlaceTexts {
  private readonly topics = new Map<number, PlaceText>();
  private readonly conversations = new Map<number, PlaceText>();

  constructor(private readonly place: (message: MessageRow) => PlaceWire) {}

  of(message: MessageRow): PlaceText {
    const { topicId, conversationId } = message;
    const [known, id] = topicId === null ? [this.conversations, conversationId ?? 0] : [this.topics, topicId];
    let found = known.get(id);
    if (!found) {
      const place = this.place(message);
      known.set(id, (found = { topic: place.subject, text: jsonMembers(place) }));
    }
    return found;
  }
}
