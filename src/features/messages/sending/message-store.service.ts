import type { Queryable, SqlValue, Statement } from '../../../platform/sql/queryable';
import { condition, NEXT_MESSAGE_ID, type SqlCondition } from '../store/personal-conditions';
import type { MessageRow } from '../store/message-rows.service';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { TopicRowsService } from '../../channels/channels.module';
import { CallerDeactivated } from '../../../platform/errors/shared.errors';
import { DirectConversationService } from '../store/direct-conversation.service';
import { factsOf, Flag, MessageFact } from '../store/message-flags';
import type { OutgoingMessage } from './outgoing-message';
import { Clock } from '../../../platform/clock';
import { messageWords } from '../fetching/words';
import { SearchIndex } from '../fetching/search';

/** A message that has no ID yet. */
export type NewMessage = Omit<MessageRow, 'id'>;

const COLUMNS = `channel_id, content, rendered_content, client_name, sent_at, facts,
  group_mention_set_id, topic_mention_set_id`;

/** In the order of {@link COLUMNS}. */
function valuesOf(row: NewMessage): SqlValue[] {
  return [
    row.channelId,
    row.content,
    row.renderedContent,
    row.clientName,
    row.sentAt,
    row.facts,
    row.groupMentionSetId,
    row.topicMentionSetId,
  ];
}

const PLACES = '?, ?, ?, ?, ?, ?, ?, ?';

/** The row that the statements return. */
export interface Inserted {
  readonly id: number;
  readonly conversationId: number | null;
  readonly topicId: number | null;
  /** How many messages the topic has, including this one, if the same statement counted them. */
  readonly count: number | null;
}

/** Inserts a message whose topic or conversation already exists. */
function insertionOnSqlite(row: NewMessage): Statement {
  const sql = `INSERT INTO message (sender_id, topic_id, conversation_id, ${COLUMNS}) VALUES (?, ?, ?, ${PLACES})
     RETURNING id`;
  return { sql, parameters: [row.senderId, row.topicId, row.conversationId, ...valuesOf(row)] };
}

/**
 * The sender may leave between the checks of a message and its insertion. Deleting an account locks its row, and
 * afterwards counts what it sent, so whichever comes second sees the first.
 */
const SENDER = 'SELECT id FROM account WHERE id = ? AND is_active FOR KEY SHARE';

/** The topic of a direct message. */
const NO_TOPIC = condition('SELECT NULL::integer AS id, NULL::integer AS message_count, 0 AS max_message_id');

/** The conversation of a channel message. */
const NO_CONVERSATION = condition('SELECT NULL::integer AS id');

/** The destination of a message, as parts of the statement that inserts it. */
export interface PlaceStatements {
  /**
   * Counts the message in the topic and returns the topic's new row: its `max_message_id` is that of the message, or 0.
   */
  readonly topic?: SqlCondition;
  /** Locks the conversation and returns its `id`, or no row if it does not exist. */
  readonly conversation?: SqlCondition;
}

/**
 * Counts a message in its topic, inserts it and indexes it, in one statement: every additional one is a round trip
 * during which the row of the topic or conversation stays locked. Returns no row if the sender left or the conversation
 * does not exist.
 * @param indexing adds the row of `inserted` to the search index
 */
function insertionOnPostgres(
  row: NewMessage,
  indexing: SqlCondition | null,
  { topic = NO_TOPIC, conversation = NO_CONVERSATION }: PlaceStatements,
): Statement {
  const sql = `WITH topic_row AS (${topic.sql}), conversation_row AS MATERIALIZED (${conversation.sql}),
     sender AS MATERIALIZED (${SENDER}), inserted AS (
       INSERT INTO message (id, sender_id, topic_id, conversation_id, ${COLUMNS})
       SELECT CASE topic_row.max_message_id WHEN 0 THEN ${NEXT_MESSAGE_ID} ELSE topic_row.max_message_id END,
         sender.id, topic_row.id, conversation_row.id, ${PLACES}
       FROM topic_row CROSS JOIN conversation_row CROSS JOIN sender RETURNING id, topic_id, conversation_id),
     indexed AS (${indexing?.sql ?? 'SELECT'})
     SELECT inserted.id, inserted.topic_id AS "topicId", inserted.conversation_id AS "conversationId",
       topic_row.message_count AS count
     FROM inserted CROSS JOIN topic_row`;
  const values = [...topic.values, ...conversation.values, row.senderId, ...valuesOf(row)];
  return { sql, parameters: [...values, ...(indexing?.values ?? [])] };
}

/** The destination of a message: a topic of a channel, or the conversation of these people, without duplicates. */
type MessagePlace = TopicPlace | { readonly memberIds: readonly number[] };

interface TopicPlace {
  readonly channelId: number;
  readonly topicName: string;
}

/** A message that was inserted. */
export interface StoredMessage {
  readonly row: MessageRow;
  /** Whether it is the first of its topic. */
  readonly startsTopic: boolean;
}

/** Content that replaces the old content of a message. */
export interface ReplacingContent extends Pick<
  OutgoingMessage,
  'limit' | 'content' | 'rendered' | 'groupMembers' | 'topicParticipants' | 'alerted'
> {
  /** UNIX seconds. */
  readonly editedAt: number;
}

/** Recipients whom a message affects personally. */
interface ConcernedRecipients {
  readonly mentioned: readonly number[];
  readonly alerted: readonly number[];
  /** Recipients outside the channel, who have only a row for the message. */
  readonly called?: readonly number[];
}

/** Writes messages and the rows that depend on them, but not their events. */
@Injectable()
export class MessageStoreService {
  constructor(
    private readonly search: SearchIndex,
    private readonly topics: TopicRowsService,
    private readonly conversations: DirectConversationService,
    private readonly clock: Clock,
  ) {}

  /**
   * Inserts a message and updates its topic or conversation, creating it for the first message. Later work in the
   * transaction may still refuse the message.
   * @throws CallerDeactivated if the sender has left in the meantime
   */
  async insert(tx: Transaction, message: OutgoingMessage, place: MessagePlace): Promise<StoredMessage> {
    const row: NewMessage = {
      channelId: 'topicName' in place ? place.channelId : null,
      topicId: null,
      topicName: 'topicName' in place ? place.topicName : null,
      conversationId: null,
      senderId: message.sender.id,
      content: message.content,
      renderedContent: message.rendered.html,
      clientName: message.clientName,
      sentAt: message.sentAt ?? this.clock.nowSeconds(),
      facts: factsOf(message.rendered) | (message.isResolutionNotice ? MessageFact.isResolutionNotice : 0),
      sentChannelId: null,
      groupMentionSetId: await this.mentionSet(tx, message.groupMembers),
      topicMentionSetId: await this.mentionSet(tx, message.topicParticipants),
      lastEditedAt: null,
      lastMovedAt: null,
    };
    const inserted = await ('topicName' in place
      ? this.insertIntoTopic(tx, row, place)
      : this.insertIntoConversation(tx, row, place.memberIds));
    const { id, topicId, conversationId, count } = inserted;
    return { row: { ...row, id, topicId, conversationId }, startsTopic: count === 1 };
  }

  private async insertIntoTopic(tx: Transaction, row: NewMessage, place: TopicPlace): Promise<Inserted> {
    const { channelId, topicName: name } = place;
    if (tx.engine === 'sqlite') {
      const open = await this.topics.openForMessage(tx, channelId, name);
      const inserted = await this.insertOnSqlite(tx, { ...row, topicId: open.id });
      await this.topics.closeWithMessage(tx, open, inserted.id);
      return { ...inserted, count: open.count };
    }
    const topic = this.topics.opening(channelId, name, NEXT_MESSAGE_ID);
    const inserted = await this.insertOnPostgres(tx, row, { topic });
    if (!inserted) throw new CallerDeactivated();
    const { id, topicId, count } = inserted;
    // The row of an existing topic already refers to the message.
    if (topicId !== null && count === 1) {
      await this.topics.closeWithMessage(tx, { id: topicId, name, count }, id);
    }
    return inserted;
  }

  /** @param memberIds all participants, without duplicates */
  private async insertIntoConversation(
    tx: Transaction,
    row: NewMessage,
    memberIds: readonly number[],
  ): Promise<Inserted> {
    const place = { conversation: this.conversations.locking(memberIds) };
    // Nearly all messages go to existing conversations.
    let inserted = tx.engine === 'postgres' ? await this.insertOnPostgres(tx, row, place) : undefined;
    if (!inserted) {
      const { id: conversationId } = await this.conversations.open(tx, memberIds);
      inserted = await (tx.engine === 'postgres'
        ? this.insertOnPostgres(tx, row, place)
        : this.insertOnSqlite(tx, { ...row, conversationId }));
    }
    if (!inserted) throw new CallerDeactivated();
    this.conversations.close(tx, memberIds, inserted.id);
    return inserted;
  }

  /**
   * In one statement, since every additional one is a round trip during which the row of the topic or conversation
   * stays locked.
   */
  private async insertOnPostgres(
    tx: Transaction,
    row: NewMessage,
    place: PlaceStatements,
  ): Promise<Inserted | undefined> {
    const indexing = this.search.insertion(() => messageWords(row.renderedContent));
    const { sql, parameters } = insertionOnPostgres(row, indexing, place);
    const [inserted] = await tx.query<Inserted>(sql, parameters);
    return inserted;
  }

  private async insertOnSqlite(tx: Transaction, row: NewMessage): Promise<Inserted> {
    const { sql, parameters } = insertionOnSqlite(row);
    const { id } = await tx.queryOne<{ id: number }>(sql, parameters);
    return { id, topicId: row.topicId, conversationId: row.conversationId, count: null };
  }

  /** Replaces the content of a message; reactions stay. */
  async replaceContent(tx: Transaction, messageId: number, next: ReplacingContent): Promise<void> {
    await tx.query(
      `UPDATE message SET content = ?, rendered_content = ?, facts = (facts & ?) | ?,
         group_mention_set_id = ?, topic_mention_set_id = ?, last_edited_at = ? WHERE id = ?`,
      [
        next.content,
        next.rendered.html,
        MessageFact.hasReaction,
        factsOf(next.rendered),
        await this.mentionSet(tx, next.groupMembers),
        await this.mentionSet(tx, next.topicParticipants),
        next.editedAt,
        messageId,
      ],
    );
  }

  /** Filters people down to those whom a message mentions by name. */
  async mentionedAmong(
    db: Queryable,
    messageId: number,
    userIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (userIds.length === 0) return new Set();
    const rows = await db.query<{ id: number }>(
      'SELECT user_id AS id FROM message_flag WHERE message_id = ? AND user_id IN (?) AND (flags & ?) <> 0',
      [messageId, userIds, Flag.mentioned],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Replaces the flags for recipients who are mentioned by name or whose alert words occur in the message. */
  async replaceFlags(tx: Transaction, messageId: number, recipients: ConcernedRecipients): Promise<void> {
    const renewed = Flag.mentioned | Flag.hasAlertWord;
    await tx.query('UPDATE message_flag SET flags = flags & ? WHERE message_id = ? AND (flags & ?) <> 0', [
      ~renewed,
      messageId,
      renewed,
    ]);
    await this.insertFlags(tx, messageId, recipients);
    await tx.query('DELETE FROM message_flag WHERE message_id = ? AND flags = 0', [messageId]);
  }

  /** Sets the flags for recipients who are mentioned by name or whose alert words occur in the message. */
  async insertFlags(tx: Transaction, messageId: number, recipients: ConcernedRecipients): Promise<void> {
    const mentioned = new Set(recipients.mentioned);
    const alerted = new Set(recipients.alerted);
    const groups: [flags: number, userIds: readonly number[]][] = [
      [Flag.mentioned, recipients.mentioned.filter((id) => !alerted.has(id))],
      [Flag.hasAlertWord, recipients.alerted.filter((id) => !mentioned.has(id))],
      [Flag.mentioned | Flag.hasAlertWord, recipients.mentioned.filter((id) => alerted.has(id))],
      [Flag.received, recipients.called ?? []],
    ];
    for (const [flags, userIds] of groups) {
      if (userIds.length === 0) continue;
      await tx.query(
        `INSERT INTO message_flag (user_id, message_id, flags) SELECT id, ?, ? FROM account WHERE id IN (?)
         ON CONFLICT (user_id, message_id) DO UPDATE SET flags = message_flag.flags | excluded.flags`,
        [messageId, flags, userIds],
      );
    }
  }

  /** The stored set with these members, created if it does not exist yet. */
  private async mentionSet(tx: Transaction, userIds: ReadonlySet<number>): Promise<number | null> {
    if (userIds.size === 0) return null;
    const hash = Audience.of(userIds).hash();
    const [created] = await tx.query<{ id: number }>(
      'INSERT INTO mention_set (hash) VALUES (?) ON CONFLICT (hash) DO NOTHING RETURNING id',
      [hash],
    );
    if (created) {
      await tx.query(
        'INSERT INTO mention_set_member (user_id, set_id) SELECT id, ? FROM account WHERE id IN (?)',
        [created.id, [...userIds]],
      );
      return created.id;
    }
    const known = await tx.queryOne<{ id: number }>('SELECT id FROM mention_set WHERE hash = ?', [hash]);
    return known.id;
  }
}
