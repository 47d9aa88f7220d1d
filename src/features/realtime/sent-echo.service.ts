import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../platform/database/read-source';
import { In } from 'typeorm';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import type { SqlRunner } from '../../platform/sql/queryable';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import {
  type LocalEcho,
  messageSent,
  sentEchoesPort,
  SentMeanwhile,
  type SentMessage,
  sentMessageWire,
  type SentMessageWire,
} from '../messages/messages.module';
import { personalDataRemoved } from '../users/users.module';
import { SentEcho } from './realtime.entity';

/** How long a request can be repeated. Clients must not retry on their own after that: the message would be sent twice. */
const KEPT_MS = 7 * 24 * 3_600_000;

const ROWS_PER_STEP = 500;

/**
 * Lets a client repeat a request to send whose response it did not receive: the message is sent once, and all responses
 * are the same.
 */
@Injectable()
export class SentEchoService {
  constructor(
    private readonly database: Database,
    @InjectRepository(SentEcho) private readonly echoes: ReadRepository<SentEcho>,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.note(tx, message));
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(SentEcho).delete({ userId });
    });
    hooks.provide(sentEchoesPort, {
      find: (senderId, echo) => this.find(this.database.read, senderId, echo),
      noteTopicPolicy: (tx, senderId, echo, policy) => this.noteTopicPolicy(tx, senderId, echo, policy),
    });
  }

  /** Of several concurrent requests, the first one wins; the others wait for it and are rolled back. */
  private async note(tx: Transaction, { messageId, sender, echo }: SentMessage): Promise<void> {
    if (!echo) return;
    const rows = await tx.query(
      `INSERT INTO sent_echo (user_id, request_key, message_id, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, request_key) DO NOTHING RETURNING id`,
      [sender.id, requestKey(echo), messageId, this.clock.nowMs()],
    );
    if (rows.length > 0) return;
    throw new SentMeanwhile((await this.find(tx, sender.id, echo)) as SentMessageWire);
  }

  /** Deletes records that are too old for a client to repeat the request. */
  async expire(): Promise<void> {
    const before = this.clock.nowMs() - KEPT_MS;
    for (let isMore = true; isMore;) {
      const oldest = await this.echoes.find({
        select: { id: true, createdAt: true },
        order: { id: 'ASC' },
        take: ROWS_PER_STEP,
      });
      const due = oldest.filter(({ createdAt }) => createdAt < before).map(({ id }) => id);
      if (due.length > 0) {
        await this.transactions.run((tx) => tx.repository(SentEcho).delete({ id: In(due) }));
      }
      isMore = due.length === ROWS_PER_STEP;
    }
  }

  private async find(db: SqlRunner, senderId: number, echo: LocalEcho): Promise<SentMessageWire | null> {
    const [row] = await db.query<Pick<SentEcho, 'messageId' | 'topicPolicy'>>(
      'SELECT message_id AS "messageId", topic_policy AS "topicPolicy" FROM sent_echo WHERE user_id = ? AND request_key = ?',
      [senderId, requestKey(echo)],
    );
    return row ? sentMessageWire(row.messageId, row.topicPolicy) : null;
  }

  private async noteTopicPolicy(
    tx: Transaction,
    senderId: number,
    echo: LocalEcho,
    policy: number,
  ): Promise<void> {
    await tx.query('UPDATE sent_echo SET topic_policy = ? WHERE user_id = ? AND request_key = ?', [
      policy,
      senderId,
      requestKey(echo),
    ]);
  }
}

function requestKey({ queueId, localId }: LocalEcho): string {
  return createHash('sha256')
    .update(JSON.stringify([queueId, localId]))
    .digest('hex');
}
