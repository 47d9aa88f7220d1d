import type { ExportContext } from './export-context';
import { groupBy } from '../../../../platform/collections';
import type { Queryable } from '../../../../platform/sql/queryable';
import { blockOf, Flag, personalState, ReadSet } from '../../../messages/messages.module';

/** A message row joined with its topic. */
export interface ExportedMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly sent_channel_id: number | null;
  readonly topic_id: number | null;
  readonly topic_name: string | null;
  readonly conversation_id: number | null;
  readonly content: string;
  readonly rendered_content: string;
  readonly client_name: string;
  readonly sent_at: number;
  readonly last_edited_at: number | null;
  readonly last_moved_at: number | null;
  readonly facts: number;
  readonly group_mention_set_id: number | null;
  readonly topic_mention_set_id: number | null;
}

/** Members of conversations by conversation ID. */
export type Members = ReadonlyMap<number, readonly number[]>;

/** The archive's flag for direct messages. Lower flags mean the same in the archive and in the database. */
const DIRECT = 2048;

const NO_SETS: ReadonlySet<number> = new Set();

/** A row of the archive. */
interface ReceiverRow {
  readonly id: number;
  readonly user_profile: number;
  readonly message: number;
  readonly flags_mask: number;
}

/** A range of message IDs during which a person was subscribed. */
interface Period {
  readonly user_id: number;
  readonly first_message_id: number;
  readonly last_message_id: number | null;
}

/**
 * Rows with the flags of each receiver of each message. The database only stores exceptions, so the rows are computed:
 * for the messages of one channel and one block of the read state at a time, as channels may have many subscribers.
 */
export class ReceiverRows {
  private last = 0;

  private constructor(
    private readonly context: ExportContext,
    /** The message up to which each person has read everything. */
    private readonly watermarks: ReadonlyMap<number, number>,
    private readonly systemBots: ReadonlySet<number>,
  ) {}

  static async of(context: ExportContext): Promise<ReceiverRows> {
    const rows = await context.db.query<{ id: number; at: number }>(
      'SELECT user_id AS id, message_id AS at FROM read_watermark',
    );
    const bots = await context.db.query<{ id: number }>('SELECT id FROM account WHERE is_system_bot = ?', [
      true,
    ]);
    const watermarks = new Map(rows.map(({ id, at }) => [id, at]));
    return new ReceiverRows(context, watermarks, new Set(bots.map(({ id }) => id)));
  }

  /** @param members members of the messages' conversations */
  async *of(messages: readonly ExportedMessage[], members: Members): AsyncIterable<ReceiverRow> {
    const { db } = this.context;
    const withRows = await messagesWithRows(db, messages);
    for (const [block, ofBlock] of groupBy(messages, ({ id }) => blockOf(id))) {
      const reads = await this.readsOf(block);
      for (const [channelId, some] of groupBy(ofBlock, sentTo)) {
        const periods = channelId === null ? [] : await periodsOf(this.context, channelId, some);
        for (const message of some) {
          const receivers = receiversOf(message, periods, members);
          const stored = withRows.has(message.id)
            ? await storedFlags(db, message.id)
            : new Map<number, number>();
          yield* this.rowsOf(message, { receivers, stored, reads });
        }
      }
    }
  }

  private async *rowsOf(
    message: ExportedMessage,
    { receivers, stored, reads }: Holders & { readonly reads: ReadonlyMap<number, ReadSet> },
  ): AsyncIterable<ReceiverRow> {
    const sets = await mentionSetsOf(this.context.db, message);
    const head = headOf(message);
    for (const userId of new Set([...receivers, ...stored.keys()])) {
      if (this.systemBots.has(userId) || !this.context.scope.hasFlags(userId)) continue;
      const row = stored.get(userId);
      const { flags } = personalState(head, {
        stored: row,
        isReceived: receivers.has(userId) || ((row ?? 0) & Flag.received) !== 0,
        isRead: reads.get(userId)?.isRead(message.id) ?? message.id <= (this.watermarks.get(userId) ?? 0),
        mentionSets: sets.size === 0 ? NO_SETS : setsWith(sets, userId),
      });
      yield {
        id: ++this.last,
        user_profile: userId,
        message: message.id,
        flags_mask: (flags & ~Flag.received) | (message.conversation_id === null ? 0 : DIRECT),
      };
    }
  }

  /** What people have read within a block, beyond their watermarks. */
  private async readsOf(block: number): Promise<ReadonlyMap<number, ReadSet>> {
    const rows = await this.context.db.query<{ id: number; bits: string }>(
      'SELECT user_id AS id, bits FROM read_block WHERE block = ?',
      [block],
    );
    return new Map(
      rows.map(({ id, bits }) => [id, new ReadSet(this.watermarks.get(id) ?? 0, [[block, bits]])]),
    );
  }
}

/** People with a relation to a message. */
interface Holders {
  readonly receivers: ReadonlySet<number>;
  /** Flag bits of stored rows by user ID. */
  readonly stored: ReadonlyMap<number, number>;
}

/** The channel that determines who received a message; null for direct messages. */
function sentTo({ sent_channel_id: sent, channel_id: now }: ExportedMessage): number | null {
  return sent ?? now;
}

function headOf(message: ExportedMessage): Parameters<typeof personalState>[0] {
  return {
    id: message.id,
    senderId: message.sender_id,
    channelId: message.channel_id,
    sentChannelId: message.sent_channel_id,
    topicId: message.topic_id,
    topicName: message.topic_name,
    conversationId: message.conversation_id,
    facts: message.facts,
    groupMentionSetId: message.group_mention_set_id,
    topicMentionSetId: message.topic_mention_set_id,
  };
}

function receiversOf(
  message: ExportedMessage,
  periods: readonly Period[],
  members: Members,
): ReadonlySet<number> {
  if (message.conversation_id !== null) return new Set(members.get(message.conversation_id));
  return new Set(
    periods
      .filter(
        ({ first_message_id: first, last_message_id: last }) =>
          first <= message.id && (last === null || last >= message.id),
      )
      .map(({ user_id: userId }) => userId),
  );
}

function periodsOf(
  { db, scope }: ExportContext,
  channelId: number,
  messages: readonly ExportedMessage[],
): Promise<Period[]> {
  const { sql, values } = scope.own(
    'SELECT user_id, channel_id, first_message_id, last_message_id FROM subscription_period',
  );
  return db.query<Period>(
    `SELECT * FROM (${sql}) p
     WHERE channel_id = ? AND first_message_id <= ? AND (last_message_id IS NULL OR last_message_id >= ?)`,
    [...values, channelId, messages.at(-1)?.id ?? 0, messages[0]?.id ?? 0],
  );
}

async function messagesWithRows(db: Queryable, messages: readonly ExportedMessage[]): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    'SELECT DISTINCT message_id AS id FROM message_flag WHERE message_id IN (?)',
    [messages.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

async function storedFlags(db: Queryable, messageId: number): Promise<Map<number, number>> {
  const rows = await db.query<{ id: number; flags: number }>(
    'SELECT user_id AS id, flags FROM message_flag WHERE message_id = ?',
    [messageId],
  );
  return new Map(rows.map(({ id, flags }) => [id, flags]));
}

/** People in the sets that the message mentions. */
async function mentionSetsOf(db: Queryable, message: ExportedMessage): Promise<Map<number, Set<number>>> {
  const ids = [message.group_mention_set_id ?? [], message.topic_mention_set_id ?? []].flat();
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; user_id: number }>(
    'SELECT set_id AS id, user_id FROM mention_set_member WHERE set_id IN (?)',
    [ids],
  );
  const sets = new Map(ids.map((id) => [id, new Set<number>()]));
  for (const row of rows) sets.get(row.id)?.add(row.user_id);
  return sets;
}

function setsWith(sets: ReadonlyMap<number, ReadonlySet<number>>, userId: number): Set<number> {
  return new Set([...sets].filter(([, people]) => people.has(userId)).map(([id]) => id));
}
