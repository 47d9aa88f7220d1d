import { Injectable } from '@nestjs/common';
import { MoreThan, Not } from 'typeorm';
import { Topic } from './topic.entity';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { composedName, withoutHidden, withoutLeadingMarks } from '../../../platform/names/visible-name';
import { type PackedColumns, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelAccess } from '../access/channel.access';
import { namedTopicsSought } from '../channels.hooks';
import { ChannelDirectory } from '../store/channel.directory';
import {
  topicMessagesPort,
  topicNamed,
  topicParticipants,
  topicRemoved,
  type TopicWire,
} from '../store/messages.hooks';

/** The unique key of a topic's name within its channel: its lower-case form. */
export function topicKey(name: string): string {
  return name.toLowerCase();
}

/** The canonical form of a topic: NFC, trimmed, without invisible characters and stray combining marks. */
export function visibleTopic(name: string): string {
  return composedName(withoutLeadingMarks(withoutHidden(name)));
}

/** The row of a topic. */
export type TopicRow = Readonly<Pick<Topic, 'id' | 'channelId' | 'name' | 'messageCount'>>;

/** The row of a topic to which a message is being written. */
interface OpenTopic {
  readonly id: number;
  readonly name: string;
  /** Its number of messages, including this one. */
  readonly count: number;
}

const COLUMNS = 'id, channel_id AS "channelId", name, message_count AS "messageCount"';

/** Finds the rows of topics, and keeps them in sync with messages. */
@Injectable()
export class TopicRowsService {
  constructor(private readonly hooks: Hooks) {
    hooks.on(namedTopicsSought, (tx, channelId) => this.hasNamed(tx, channelId));
  }

  byId(db: Queryable, topicId: number): Promise<TopicRow> {
    return db.queryOne<TopicRow>(`SELECT ${COLUMNS} FROM topic WHERE id = ?`, [topicId]);
  }

  /** Finds a topic by name, case-insensitive; undefined if there is none. */
  async byName(db: Queryable, channelId: number, name: string): Promise<TopicRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM topic WHERE channel_id = ? AND name_key = ?`;
    const [row] = await db.query<TopicRow>(sql, [channelId, topicKey(name)]);
    return row;
  }

  /** Whether the channel has a topic of this name, case-insensitive. */
  async exists(db: Queryable, channelId: number, name: string): Promise<boolean> {
    return (await this.byName(db, channelId, name)) !== undefined;
  }

  private hasNamed(db: Queryable, channelId: number): Promise<boolean> {
    return db.repository(Topic).existsBy({ channelId, nameKey: Not(''), messageCount: MoreThan(0) });
  }

  /** Participants of a topic: users who sent a message, reacted, and the like. */
  async participantsOf(db: Queryable, topicId: number): Promise<Set<number>> {
    const lists = await this.hooks.run(topicParticipants, db, topicId);
    return new Set(lists.flat());
  }

  /**
   * Counts a message in its topic before the message has an ID. The topic's row stays locked until the transaction
   * ends, so IDs within a topic increase in the order in which its messages become visible.
   */
  async openForMessage(tx: Transaction, channelId: number, name: string): Promise<OpenTopic> {
    const { sql, values } = this.opening(channelId, name, '0');
    const { id, message_count: count } = await tx.queryOne<{ id: number; message_count: number }>(
      sql,
      values,
    );
    return { id, name, count };
  }

  /**
   * The statement of {@link openForMessage}, as part of one that also writes the message.
   * @param messageId expression that assigns the message its ID; evaluated once the row is locked
   * @returns the row; if the message starts its topic, `max_message_id` is 0
   */
  opening(
    channelId: number,
    name: string,
    messageId: string,
  ): { sql: string; values: [number, string, string] } {
    return {
      sql: `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 1)
        ON CONFLICT (channel_id, name_key) DO UPDATE SET name = excluded.name,
          message_count = topic.message_count + 1, max_message_id = ${messageId}
        RETURNING id, message_count, max_message_id`,
      values: [channelId, name, topicKey(name)],
    };
  }

  /** Records a message as the newest of its topic; if it is the only one, the topic starts with it. */
  async closeWithMessage(tx: Transaction, { id, name, count }: OpenTopic, messageId: number): Promise<void> {
    if (count === 1) await this.hooks.run(topicNamed, tx, { id, name });
    await tx.query('UPDATE topic SET max_message_id = ? WHERE id = ?', [messageId, id]);
  }

  /**
   * Finds or creates the topic and locks it against other senders until the transaction ends. A new one has no
   * messages: callers add some, or drop it.
   */
  open(tx: Transaction, channelId: number, name: string): Promise<TopicRow> {
    return tx.queryOne<TopicRow>(
      `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 0)
       ON CONFLICT (channel_id, name_key) DO UPDATE SET message_count = topic.message_count
       RETURNING ${COLUMNS}`,
      [channelId, name, topicKey(name)],
    );
  }

  /** Deletes a row that {@link open} created. */
  async drop(tx: Transaction, topicId: number): Promise<void> {
    const sql = 'DELETE FROM topic WHERE id = ? AND message_count = 0 RETURNING id';
    const gone = await tx.query(sql, [topicId]);
    if (gone.length > 0) await this.hooks.run(topicRemoved, tx, topicId);
  }

  /** Renames a topic with all its messages, and may move it to another channel. The name must be free there. */
  async rename(tx: Transaction, topicId: number, channelId: number, name: string): Promise<void> {
    await tx.repository(Topic).update({ id: topicId }, { channelId, name, nameKey: topicKey(name) });
  }

  /**
   * Adjusts the message count, with a negative number for removals, and updates the newest message. The row must be
   * locked, so that no message arrives in between. Without messages left, deletes the row.
   */
  async count(tx: Transaction, topicId: number, change: number): Promise<void> {
    const newestId = (await this.hooks.provider(topicMessagesPort)?.newestIn(tx, topicId)) ?? 0;
    await tx.query('UPDATE topic SET message_count = message_count + ?, max_message_id = ? WHERE id = ?', [
      change,
      newestId,
      topicId,
    ]);
    if (change < 0) await this.drop(tx, topicId);
  }

  /**
   * Blocks sending to topics until the transaction ends; SQLite runs one writing transaction at a time anyway. Includes
   * the destination of a move, since all callers lock topics in the order of their IDs.
   * @param target by channel, and by name if that changes
   */
  async lock(
    tx: Transaction,
    topicIds: readonly number[],
    target: { readonly channelId: number | null; readonly name?: string },
  ): Promise<void> {
    if (topicIds.length === 0 || tx.engine === 'sqlite') return;
    const key = target.name === undefined ? null : topicKey(target.name);
    await tx.query(
      `SELECT id FROM topic WHERE id IN (?)
         OR (channel_id = ? AND name_key = COALESCE(?, (SELECT MIN(name_key) FROM topic WHERE id IN (?))))
       ORDER BY id FOR UPDATE`,
      [topicIds, target.channelId, key, topicIds],
    );
  }
}

/** A topic as typed by a user. */
interface NamedTopic {
  readonly channelId: number;
  readonly topic: string;
}

/** The ID of the newest message of a topic, in any spelling; undefined if there is none. */
export type NewestByTopic = (channelId: number, topic: string) => number | undefined;

interface NewestRow {
  readonly channelId: number;
  readonly nameKey: string;
  readonly messageId: number;
}

/** Finds the newest messages of topics by their names. */
@Injectable()
export class NewestMessagesService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly hooks: Hooks,
  ) {}

  /** The newest messages of any topics. */
  async of(db: Queryable, named: readonly NamedTopic[]): Promise<NewestByTopic> {
    return lookUp(await this.rows(db, named));
  }

  /**
   * The newest messages that the reader may read: none in inaccessible channels, and only received ones in protected
   * history.
   */
  async readable(db: Queryable, reader: Reader, named: readonly NamedTopic[]): Promise<NewestByTopic> {
    const rows = await this.rows(
      db,
      named.filter(({ channelId }) => this.isReached(reader, channelId)),
    );
    const protectedIds = rows
      .filter(({ channelId }) => !this.channels.byId(channelId)?.isHistoryPublicToSubscribers)
      .map(({ messageId }) => messageId);
    if (protectedIds.length === 0) return lookUp(rows);
    const messages = this.hooks.provider(topicMessagesPort);
    const received = await messages?.receivedAmong(db, protectedIds, reader.userId);
    const hidden = new Set(protectedIds.filter((id) => !received?.has(id)));
    return lookUp(rows.filter(({ messageId }) => !hidden.has(messageId)));
  }

  private isReached(reader: Reader, channelId: number): boolean {
    const channel = this.channels.byId(channelId);
    return channel !== undefined && this.access.hasContentAccess(reader, channel);
  }

  private async rows(db: Queryable, named: readonly NamedTopic[]): Promise<NewestRow[]> {
    if (named.length === 0) return [];
    return db.query<NewestRow>(
      `SELECT channel_id AS "channelId", name_key AS "nameKey", max_message_id AS "messageId" FROM topic
       WHERE channel_id IN (?) AND name_key IN (?) AND message_count > 0`,
      [
        [...new Set(named.map(({ channelId }) => channelId))],
        [...new Set(named.map(({ topic }) => keyOf(topic)))],
      ],
    );
  }
}

/** The key under which the topic is stored. */
function keyOf(topic: string): string {
  return topicKey(visibleTopic(topic));
}

function lookUp(rows: readonly NewestRow[]): NewestByTopic {
  const found = new Map(
    rows.map(({ channelId, nameKey, messageId }) => [`${channelId} ${nameKey}`, messageId]),
  );
  return (channelId, topic) => found.get(`${channelId} ${keyOf(topic)}`);
}

const LISTED: PackedColumns<TopicWire> = { name: 'name', max_id: 'max_message_id' };

/** Lists the topics of channels. */
@Injectable()
export class TopicListService {
  constructor(
    private readonly database: Database,
    private readonly access: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly hooks: Hooks,
  ) {}

  /**
   * The topics that the reader may see, most recent first. Includes archived channels.
   * @param allowEmptyName whether the empty topic keeps its name instead of its display name
   * @throws InvalidChannelId
   */
  async list(reader: Reader, channelId: number, allowEmptyName: boolean): Promise<TopicWire[]> {
    const channel = this.access.forContent(reader, channelId, { archived: true });
    const db = this.database.read;
    const rows = channel.isHistoryPublicToSubscribers
      ? await this.allTopics(db, channelId)
      : ((await this.hooks.provider(topicMessagesPort)?.receivedTopics(db, channelId, reader.userId)) ?? []);
    const shownName = allowEmptyName ? '' : this.organization.settings.empty_topic_display_name;
    return rows.map(({ name, max_id }) => ({ name: name === '' ? shownName : name, max_id }));
  }

  private async allTopics(db: Queryable, channelId: number): Promise<TopicWire[]> {
    const rest = 'FROM topic WHERE channel_id = ? AND message_count > 0';
    const rows = await packedRows(db, LISTED, rest, [channelId]);
    return rows.sort((one, other) => other.max_id - one.max_id);
  }
}
