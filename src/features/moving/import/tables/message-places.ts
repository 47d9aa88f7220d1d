import { groupBy } from '../../../../platform/collections';
import type { Queryable } from '../../../../platform/sql/queryable';
import type { NewRow } from '../../../../platform/sql/insert-rows';
import { membersKey } from '../../../messages/messages.module';
import { topicKey } from '../../../channels/channels.module';

interface Period {
  readonly userId: number;
  readonly channelId: number;
  readonly first: number;
  readonly last: number | null;
}

/** Rows that messages of a file need first. */
export interface NewPlaces {
  readonly topics: readonly NewRow[];
  readonly conversations: readonly NewRow[];
  readonly members: readonly NewRow[];
}

/** Topics and conversations that messages go to, and who is subscribed at which message. In memory while messages come. */
export class MessagePlaces {
  private readonly topics = new Map<string, number>();
  private readonly conversations = new Map<string, number>();
  private lastTopic = 0;
  private lastConversation = 0;
  private fresh: { topics: NewRow[]; conversations: NewRow[]; members: NewRow[] } = empty();

  private constructor(private readonly periods: ReadonlyMap<number, readonly Period[]>) {}

  /** What the files before have made is there again after an interruption. */
  static async load(db: Queryable): Promise<MessagePlaces> {
    const periods = await db.query<Period>(
      `SELECT user_id AS "userId", channel_id AS "channelId", first_message_id AS first, last_message_id AS last
       FROM subscription_period`,
    );
    const places = new MessagePlaces(groupBy(periods, ({ channelId }) => channelId));
    for (const row of await db.query<{ id: number; channel_id: number; name_key: string }>(
      'SELECT id, channel_id, name_key FROM topic',
    )) {
      places.topics.set(`${row.channel_id} ${row.name_key}`, row.id);
      places.lastTopic = Math.max(places.lastTopic, row.id);
    }
    for (const row of await db.query<{ id: number; members_key: string }>(
      'SELECT id, members_key FROM direct_conversation',
    )) {
      places.conversations.set(row.members_key, row.id);
      places.lastConversation = Math.max(places.lastConversation, row.id);
    }
    return places;
  }

  topic(channelId: number, name: string): number {
    const key = `${channelId} ${topicKey(name)}`;
    const known = this.topics.get(key);
    if (known !== undefined) return known;
    const id = ++this.lastTopic;
    this.topics.set(key, id);
    const counts = { max_message_id: 0, message_count: 0 };
    this.fresh.topics.push({ id, channel_id: channelId, name, name_key: topicKey(name), ...counts });
    return id;
  }

  /** @param memberIds ascending */
  conversation(memberIds: readonly number[]): number {
    const key = membersKey(memberIds);
    const known = this.conversations.get(key);
    if (known !== undefined) return known;
    const id = ++this.lastConversation;
    this.conversations.set(key, id);
    this.fresh.conversations.push({ id, members_key: key, max_message_id: 0 });
    for (const userId of memberIds) this.fresh.members.push({ conversation_id: id, user_id: userId });
    return id;
  }

  /** What was made since this was asked last. */
  takeNew(): NewPlaces {
    const { fresh } = this;
    this.fresh = empty();
    return fresh;
  }

  /** Who is subscribed to a channel when a message is sent. */
  subscribers(channelId: number, messageId: number): Set<number> {
    const periods = this.periods.get(channelId) ?? [];
    return new Set(
      periods
        .filter(({ first, last }) => first <= messageId && (last === null || last >= messageId))
        .map(({ userId }) => userId),
    );
  }
}

function empty(): { topics: NewRow[]; conversations: NewRow[]; members: NewRow[] } {
  return { topics: [], conversations: [], members: [] };
}
