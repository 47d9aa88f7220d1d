import { Injectable } from '@nestjs/common';
import { NeedsExclusive } from '../../../platform/database/database.errors';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelActivityService,
  ChannelAudienceService,
  ChannelDirectory,
  channelFirstMessageChanged,
  type ChannelRecord,
  FOR_ARCHIVED_CHANNELS,
  TopicRowsService,
} from '../../channels/channels.module';
import type { PlacedMessage } from '../../messages/messages.module';

/** A message whose place cannot change until the transaction ends. */
export interface LockedMessage extends PlacedMessage {
  readonly topicId: number | null;
}

/** Why messages are locked. */
interface LockPurpose {
  /** An edit does not move them; deleting also blocks writers of rows that refer to them. */
  readonly purpose: 'edit' | 'move' | 'delete';
  /** The destination of a move; omitted properties do not change. */
  readonly target?: { readonly channelId?: number; readonly topic?: string };
}

/**
 * Locks messages, and the topics, channels and conversations that contain them, until the transaction ends. All writers
 * lock in this order: channels, topics or conversations, messages, each by ascending ID.
 */
@Injectable()
export class MessageLocksService {
  constructor(
    private readonly activity: ChannelActivityService,
    private readonly topics: TopicRowsService,
    private readonly directories: Directories,
  ) {}

  /** @returns the messages that still exist, ascending, with their current places */
  async lock(tx: Transaction, messageIds: readonly number[], purpose: LockPurpose): Promise<LockedMessage[]> {
    let messages = await this.load(tx, messageIds);
    if (tx.engine === 'sqlite') return messages;
    for (;;) {
      await this.lockOnce(tx, messages, purpose);
      const now = await this.load(tx, messageIds);
      const known = new Map(messages.map((message) => [message.id, message]));
      if (now.every((message) => isSamePlace(message, known.get(message.id)))) return now;
      // They were moved before the locks were acquired.
      messages = now;
    }
  }

  private load(db: Queryable, messageIds: readonly number[]): Promise<LockedMessage[]> {
    return db.query<LockedMessage>(
      `SELECT id, channel_id AS "channelId", sent_channel_id AS "sentChannelId", topic_id AS "topicId",
         conversation_id AS "conversationId" FROM message WHERE id IN (?) ORDER BY id`,
      [messageIds],
    );
  }

  private async lockOnce(
    tx: Transaction,
    messages: readonly LockedMessage[],
    { purpose, target }: LockPurpose,
  ): Promise<void> {
    const { channelId, topic } = target ?? {};
    const channelIds = present([channelId ?? null, ...messages.map((message) => message.channelId)]);
    if (channelIds.length > 0) await this.activity.lock(tx, channelIds, { forUpdate: tx.isExclusive });
    if (purpose !== 'edit') {
      const topicIds = present(messages.map((message) => message.topicId));
      await this.topics.lock(tx, topicIds, {
        channelId: channelId ?? messages[0]?.channelId ?? null,
        name: topic,
      });
      const conversationIds = present(messages.map((message) => message.conversationId));
      await lockRows(tx, 'direct_conversation', conversationIds, 'UPDATE');
    }
    const messageIds = messages.map(({ id }) => id);
    await lockRows(tx, 'message', messageIds, purpose === 'delete' ? 'UPDATE' : 'NO KEY UPDATE');
    // The following decisions depend on memory, which otherwise only the lock of channels brings up to date.
    if (channelIds.length === 0) await this.directories.catchUp();
  }
}

function present(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

function isSamePlace(message: LockedMessage, other: LockedMessage | undefined): boolean {
  return (
    message.topicId === other?.topicId &&
    message.channelId === other?.channelId &&
    message.conversationId === other?.conversationId
  );
}

async function lockRows(
  tx: Transaction,
  table: 'direct_conversation' | 'message',
  ids: readonly number[],
  strength: 'UPDATE' | 'NO KEY UPDATE',
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(`SELECT id FROM ${table} WHERE id IN (?) ORDER BY id FOR ${strength}`, [ids]);
}

/** Precision of the time of a channel's last message. */
const SECONDS_A_DAY = 86_400;

/** A message that was moved to a channel from another one. */
interface Arrival {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
}

/** Updates the rows of channels when messages are moved there or removed. */
@Injectable()
export class ChannelRowsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly activity: ChannelActivityService,
  ) {}

  /** Whether the first message of any channel is known to be among these. */
  isAnyFirst(messageIds: readonly number[]): boolean {
    const asked = new Set(messageIds);
    return this.channels
      .all()
      .some(({ firstMessageId }) => firstMessageId !== null && asked.has(firstMessageId));
  }

  /** Whether an arriving message makes a channel more recently active than its row says. */
  wasMoreRecentlyActive({ lastMessageAt }: ChannelRecord, { sentAt }: Omit<Arrival, 'id'>): boolean {
    return lastMessageAt === null || sentAt - lastMessageAt >= SECONDS_A_DAY;
  }

  /** Records the newest of the messages that arrived in a locked channel. @throws NeedsExclusive */
  async noteArrival(tx: Transaction, channel: ChannelRecord, newest: Arrival): Promise<void> {
    if (!this.wasMoreRecentlyActive(channel, newest)) return;
    if (!tx.isExclusive) throw new NeedsExclusive();
    await this.activity.noteMessage(tx, channel, newest.id, newest.sentAt);
  }

  /**
   * Must be called last, after messages of a locked channel arrived or left.
   * @returns whether the first message changed
   * @throws NeedsExclusive if the channel's row has to be updated and the transaction is not exclusive
   */
  async renewFirst(tx: Transaction, channelId: number): Promise<boolean> {
    const channel = this.channels.byId(channelId);
    const firstMessageId = await firstMessage(tx, channelId);
    if (!channel || channel.firstMessageId === firstMessageId) return false;
    if (!tx.isExclusive) throw new NeedsExclusive();
    await this.activity.noteFirst(tx, channelId, firstMessageId);
    return true;
  }

  /** Emits a channel's first message. */
  async tellFirst(tx: Transaction, channelId: number): Promise<void> {
    const channel = this.channels.byId(channelId);
    if (!channel) return;
    tx.emit(
      channelFirstMessageChanged(channel, await firstMessage(tx, channelId)),
      this.audiences.viewersOf(channel),
      channel.isArchived ? FOR_ARCHIVED_CHANNELS : {},
    );
  }
}

async function firstMessage(db: Queryable, channelId: number): Promise<number | null> {
  const [row] = await db.query<{ id: number | null }>(
    'SELECT MIN(id) AS id FROM message WHERE channel_id = ?',
    [channelId],
  );
  return row?.id ?? null;
}
