import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { MissedMessage } from './missed-message.entity';
import { Clock } from '../../../platform/clock';
import { chunksOf, groupBy } from '../../../platform/collections';
import { Database } from '../../../platform/database/database.service';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { type FoundMessage, MessageAccess, messagesDeleted } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { LastActivityService } from '../../presence/presence.module';
import {
  AccountDirectory,
  type AccountRecord,
  personalDataRemoved,
  personalSetting,
} from '../../users/users.module';
import { MAIL, NotificationChoice, type NotificationReason } from '../choice/notification-choice.service';

/** One mail about one conversation. */
export interface MissedMail {
  readonly userId: number;
  /** Ascending. */
  readonly messageIds: readonly number[];
  /** How many more messages of the conversation the user missed. */
  readonly more: number;
  /** How many more conversations there are, beyond the limit on mails. */
  readonly moreConversations: number;
}

/** Sends a mail. Its group is the user. */
export const missedMail = defineJob<MissedMail>('missed_message_mail');

/** Processes a user's missed messages. Its group is the user, its key the time at which the batch is due. */
const missedBatch = defineJob<null>('missed_messages');

/** Batches that start concurrently on two nodes are merged. */
const TOGETHER_MS = 10_000;

/** A user who has been active for this long has seen the message. */
const MAX_PUT_OFF_MS = 15 * 60_000;

/** How long an edit of a message does not cause another mail about it. */
const REMEMBERED_MS = 7 * 86_400_000;

const MAX_MESSAGES_PER_MAIL = 50;
const MAX_MAILS = 30;
const ROWS_PER_STEP = 500;

/** Messages of one conversation that a user missed, with the reason for a mail. */
interface Missed {
  readonly messageId: number;
  readonly reason: NotificationReason;
}

/** Collects messages that users missed, and mails them in batches. */
@Injectable()
export class MissedMessages {
  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly access: MessageAccess,
    private readonly choice: NotificationChoice,
    private readonly activity: LastActivityService,
    private readonly clock: Clock,
    @InjectRepository(MissedMessage) private readonly rows: ReadRepository<MissedMessage>,
    hooks: Hooks,
  ) {
    jobs.handle(missedBatch, {
      work: (job) => this.mail(job),
      retry: { delaysMs: [1_000, 10_000, 60_000, 600_000] },
      timeoutMs: 60_000,
      concurrency: 4,
      groupConcurrency: 1,
    });
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(MissedMessage).delete({ userId });
    });
    hooks.on(messagesDeleted, async (tx, messageIds) => {
      await tx.repository(MissedMessage).delete({ messageId: In([...messageIds]) });
    });
  }

  /** Records a message that users missed; idempotent. */
  async add(messageId: number, accounts: readonly AccountRecord[]): Promise<void> {
    for (const some of chunksOf(accounts, ROWS_PER_STEP)) {
      const awayAt = new Map<number, number>();
      for (const { id } of some) {
        const at = await this.activity.offlineAt(this.database.read, id);
        if (at !== null) awayAt.set(id, at * 1000);
      }
      await this.transactions.run((tx) => this.insert(tx, messageId, some, awayAt));
    }
  }

  private async insert(
    tx: Transaction,
    messageId: number,
    accounts: readonly AccountRecord[],
    awayAt: ReadonlyMap<number, number>,
  ): Promise<void> {
    const now = this.clock.nowMs();
    const open = await this.openBatches(tx, accounts, now);
    const dueAt = ({ id, settings }: AccountRecord): number =>
      Math.max(
        awayAt.get(id) ?? 0,
        open.get(id) ?? now + 1000 * personalSetting(settings, 'email_notifications_batching_period_seconds'),
      );
    const due = new Map(accounts.map((account) => [account.id, dueAt(account)]));
    const inserted = await tx.query<{ user_id: number }>(
      `INSERT INTO missed_message (user_id, message_id, noted_at, due_at, was_active)
       VALUES ${accounts.map(() => '(?, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (message_id, user_id) DO NOTHING RETURNING user_id`,
      accounts.flatMap(({ id }) => [id, messageId, now, due.get(id)!, awayAt.has(id)]),
    );
    for (const { user_id: userId } of inserted) await this.enqueue(tx, userId, due.get(userId)!);
  }

  /** By user, when the open batch is due that new messages join. */
  private async openBatches(
    db: Queryable,
    accounts: readonly AccountRecord[],
    now: number,
  ): Promise<Map<number, number>> {
    const rows = await db.query<{ user_id: number; due_at: number }>(
      `SELECT user_id, MIN(due_at) AS due_at FROM missed_message
       WHERE user_id IN (?) AND due_at > ? AND mailed_at IS NULL GROUP BY user_id`,
      [accounts.map(({ id }) => id), now],
    );
    return new Map(rows.map((row) => [row.user_id, Number(row.due_at)]));
  }

  private async enqueue(tx: Transaction, userId: number, dueAt: number): Promise<void> {
    await this.jobs.enqueue(tx, {
      kind: missedBatch,
      group: String(userId),
      key: String(dueAt),
      data: null,
      dueAt,
    });
  }

  private async mail(job: RunningJob<null>): Promise<void> {
    // Another node may have changed the account, the settings or the channel.
    await this.directories.catchUp();
    const userId = Number(job.group);
    const rows = await this.rows.find({
      where: { userId, mailedAt: IsNull(), dueAt: LessThanOrEqual(Number(job.key) + TOGETHER_MS) },
      order: { messageId: 'ASC' },
    });
    const account = this.accounts.byId(userId);
    const awayAt = await this.activity.offlineAt(this.database.read, userId);
    const now = this.clock.nowMs();
    const isWaiting = (row: MissedMessage) => row.wasActive && awayAt !== null;
    const waiting = rows.filter((row) => isWaiting(row) && now - row.notedAt < MAX_PUT_OFF_MS);
    const due = rows.filter((row) => !isWaiting(row)).map(({ messageId }) => messageId);
    const conversations = account ? await this.stillMissed(account, due, job.signal) : [];
    await this.transactions.run(async (tx) => {
      if (!(await job.complete(tx))) return;
      const claimed = await this.settle(tx, userId, rows, { waiting, conversations });
      if (waiting.length > 0) await this.putOff(tx, userId, waiting, awayAt! * 1000);
      const ours = conversations.map((missed) => missed.filter(({ messageId }) => claimed.has(messageId)));
      await this.enqueueMails(
        tx,
        userId,
        ours.filter((missed) => missed.length > 0),
      );
      await tx.query('DELETE FROM missed_message WHERE mailed_at < ?', [now - REMEMBERED_MS]);
    });
  }

  /**
   * Marks messages as mailed, and deletes those that need no mail any more. Another node may do the same for a batch
   * that is due within the same second.
   * @returns the messages that this call marked
   */
  private async settle(
    tx: Transaction,
    userId: number,
    rows: readonly MissedMessage[],
    { waiting, conversations }: { waiting: readonly MissedMessage[]; conversations: readonly Missed[][] },
  ): Promise<ReadonlySet<number>> {
    const mailed = conversations.flat().map(({ messageId }) => messageId);
    const kept = new Set([...mailed, ...waiting.map(({ messageId }) => messageId)]);
    const dropped = rows.map(({ messageId }) => messageId).filter((id) => !kept.has(id));
    const claimed = new Set<number>();
    for (const ids of chunksOf(mailed, ROWS_PER_STEP)) {
      const changed = await tx.query<{ message_id: number }>(
        `UPDATE missed_message SET mailed_at = ?
         WHERE user_id = ? AND message_id IN (?) AND mailed_at IS NULL RETURNING message_id`,
        [this.clock.nowMs(), userId, ids],
      );
      for (const row of changed) claimed.add(row.message_id);
    }
    for (const ids of chunksOf(dropped, ROWS_PER_STEP)) {
      await tx.repository(MissedMessage).delete({ userId, messageId: In(ids), mailedAt: IsNull() });
    }
    return claimed;
  }

  private async putOff(
    tx: Transaction,
    userId: number,
    waiting: readonly MissedMessage[],
    dueAt: number,
  ): Promise<void> {
    for (const rows of chunksOf(waiting, ROWS_PER_STEP)) {
      await tx.repository(MissedMessage).update({ id: In(rows.map(({ id }) => id)) }, { dueAt });
    }
    await this.enqueue(tx, userId, dueAt);
  }

  /** One mail per conversation, up to a limit, starting with the oldest messages. */
  private async enqueueMails(
    tx: Transaction,
    userId: number,
    conversations: readonly Missed[][],
  ): Promise<void> {
    const mails = conversations.slice(0, MAX_MAILS);
    for (const [at, missed] of mails.entries()) {
      const ids = missed.map(({ messageId }) => messageId);
      const data: MissedMail = {
        userId,
        messageIds: ids.slice(0, MAX_MESSAGES_PER_MAIL),
        more: Math.max(0, ids.length - MAX_MESSAGES_PER_MAIL),
        moreConversations: at === mails.length - 1 ? conversations.length - mails.length : 0,
      };
      await this.jobs.enqueue(tx, { kind: missedMail, group: String(userId), data });
    }
  }

  /**
   * Filters messages down to those that still require a mail, by conversation: the user has access, has not read them,
   * and wants to be notified. Ordered by the oldest message.
   */
  async stillMissed(
    account: AccountRecord,
    messageIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<Missed[][]> {
    if (!account.isActive || account.isBot || this.organization.isDeactivated) return [];
    const db = this.database.read;
    const reader = { userId: account.id, role: account.role };
    const found: FoundMessage[] = [];
    for (const ids of chunksOf(messageIds, ROWS_PER_STEP)) {
      signal?.throwIfAborted();
      const readable = await this.access.among(db, reader, ids);
      for (const id of ids) {
        const each = readable.get(id);
        if (each?.isReadable) found.push(each);
      }
    }
    const groups = groupBy(found, ({ message }) => `${message.topicId} ${message.conversationId}`);
    const conversations: Missed[][] = [];
    for (const group of groups.values()) {
      signal?.throwIfAborted();
      const place = (await this.choice.places(db, group[0]!.message, [account.id]))(account.id);
      const missed = group.flatMap(({ message, state }) => {
        const reason = this.choice.reason(MAIL, account, state.flags, place);
        return reason === null ? [] : { messageId: message.id, reason };
      });
      if (missed.length > 0) conversations.push(missed);
    }
    return conversations;
  }
}
