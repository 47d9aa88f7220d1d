import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { Directories, Directory } from '../../platform/events/directories';
import { Hooks } from '../../platform/hooks/hooks';
import { defineJob } from '../../platform/jobs/job';
import { Jobs } from '../../platform/jobs/jobs.service';
import type { Queryable } from '../../platform/sql/queryable';
import { messageEdited, messageSent } from '../messages/messages.module';

interface Row {
  user_id: number;
}

const ALL = 'SELECT DISTINCT user_id FROM web_push_subscription';

/** Users with a push subscription, in memory, so that sending a message reads no table. Touched by user IDs. */
@Injectable()
export class PushSubscriptionDirectory extends Directory {
  readonly name = 'web_push_subscriptions';

  private readonly users = new Set<number>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** Users with at least one subscription. Shared, not a copy. */
  get userIds(): ReadonlySet<number> {
    return this.users;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(ALL);
    this.users.clear();
    for (const row of rows) this.users.add(row.user_id);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL} WHERE user_id IN (?)`, [ids]);
    for (const id of ids) this.users.delete(id);
    for (const row of rows) this.users.add(row.user_id);
  }
}

/** A message whose recipients may want to be notified. */
export interface PushedMessage {
  readonly messageId: number;
  /** Those whom an edit has named; null for everyone whom a new message reaches. */
  readonly named: readonly number[] | null;
}

/** Finds out who is notified of a message. Its key is the message, or an edit of it. */
export const pushedMessage = defineJob<PushedMessage>('web_push_message');

/** Enqueues a job in the transaction that sends or edits a message, if it reaches a user with a push subscription. */
@Injectable()
export class PushTriggers {
  constructor(
    private readonly directory: PushSubscriptionDirectory,
    private readonly jobs: Jobs,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, async (tx, { messageId, sender, audience }) => {
      if (this.isReached(audience, sender.id))
        await this.enqueue(tx, String(messageId), { messageId, named: null });
    });
    hooks.on(messageEdited, async (tx, { messageId, sender, newlyNamed }) => {
      const named = [...newlyNamed].filter((id) => id !== sender.id && this.directory.userIds.has(id));
      if (named.length > 0) await this.enqueue(tx, `${messageId} edited`, { messageId, named });
    });
  }

  private isReached(audience: Pick<Audience, 'has'>, senderId: number): boolean {
    for (const id of this.directory.userIds) if (id !== senderId && audience.has(id)) return true;
    return false;
  }

  private async enqueue(tx: Transaction, key: string, data: PushedMessage): Promise<void> {
    await this.jobs.enqueue(tx, { kind: pushedMessage, key, data });
  }
}
