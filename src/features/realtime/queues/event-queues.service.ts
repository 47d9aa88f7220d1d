import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventQueue } from '../realtime.entity';
import { LiveQueue, type StoredQueue } from './live-queue';
import { LiveQueues } from './live-queues.directory';
import type { QueueOptions } from './queue-options';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { commitsLost, lostCommitsNoted, rowsPutBack } from '../../../platform/database/database.hooks';
import { Database } from '../../../platform/database/database.service';
import { entityRows } from '../../../platform/sql/entity-rows';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { LogClaims } from '../../../platform/database/event-log-expiry.service';
import { ServerBusy } from '../../../platform/errors/request.errors';
import { Audience } from '../../../platform/events/audience';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import { QueueHandover } from '../../../platform/events/queue-handover';
import { NodeRow } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { BadEventQueueId, InvalidIdleTimeout } from '../realtime.api';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const USUAL_IDLE_MS = 10 * MINUTE_MS;
/** The idle time for the word `mobile`: a phone sleeps through the night. */
const MOBILE_IDLE_MS = 12 * HOUR_MS;
const LONGEST_IDLE_MS = 7 * 24 * HOUR_MS;

/** How often the rows of queues are updated while their clients are connected; they lag by up to slightly more. */
export const LAST_SEEN_WRITTEN_EVERY_MS = MINUTE_MS;
const LAST_SEEN_LAG_MS = 1.5 * LAST_SEEN_WRITTEN_EVERY_MS;

/** Maximum age of undelivered events, relative to the time when the client was last seen. */
const EVENTS_BEFORE_LAST_SEEN_MS = 10 * MINUTE_MS;

/** If the wall clock changes by more than this relative to the monotonic clock, it was set forward or back. */
const JUMP_MS = 10 * SECOND_MS;

/** Determines how long queues live. */
@Injectable()
export class QueueLifetimesService {
  /** Before that, polls may have been missed: the server was down, or its clock was wrong. */
  private watchedSinceMs: number;
  /** The difference between the wall clock and the monotonic clock. */
  private aheadMs: number;
  /** Events are deleted after this time, even if a queue still needs them. */
  private readonly eventsKeptMs: number;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.watchedSinceMs = clock.nowMs();
    this.aheadMs = this.watchedSinceMs - clock.monotonicMs();
    this.eventsKeptMs = config.eventRetentionHours * HOUR_MS - EVENTS_BEFORE_LAST_SEEN_MS;
  }

  /**
   * How long a client may stay away.
   * @param asked seconds, a word, or null for the default
   * @throws InvalidIdleTimeout
   */
  idleTimeoutMs(asked: number | string | null): number {
    const longestMs = Math.min(LONGEST_IDLE_MS, this.eventsKeptMs);
    if (asked === 'mobile') return Math.min(MOBILE_IDLE_MS, longestMs);
    if (typeof asked === 'string' || (asked !== null && asked < 1)) throw new InvalidIdleTimeout();
    return Math.min(asked === null ? USUAL_IDLE_MS : asked * SECOND_MS, longestMs);
  }

  /**
   * When the client of a queue was last connected, as far as expiry is concerned: while the server was down or asleep
   * no client could connect, so every queue gets its full idle time again after a start, and after a jump of the clock.
   */
  lastSeenMs({ lastSeenAt }: Pick<EventQueue, 'lastSeenAt'>): number {
    this.noteJump();
    return Math.max(lastSeenAt + LAST_SEEN_LAG_MS, this.watchedSinceMs);
  }

  /** Whether the client of a queue stayed away for too long, or for so long that its events were deleted. */
  isExpired(queue: Pick<EventQueue, 'lastSeenAt' | 'idleTimeoutSeconds'>): boolean {
    const nowMs = this.clock.nowMs();
    return (
      this.lastSeenMs(queue) + queue.idleTimeoutSeconds * SECOND_MS < nowMs ||
      queue.lastSeenAt + this.eventsKeptMs < nowMs
    );
  }

  /** Like `isExpired`, for a queue in memory, where the exact time is known. */
  isAbandoned({ parked, lastSeenMs, idleTimeoutMs }: LiveQueue): boolean {
    this.noteJump();
    return parked === null && Math.max(lastSeenMs, this.watchedSinceMs) + idleTimeoutMs < this.clock.nowMs();
  }

  /** Whether another node saw the client after this one did. */
  wasSeenElsewhere({ lastSeenAt }: Pick<EventQueue, 'lastSeenAt'>, lastSeenHereMs: number): boolean {
    return lastSeenAt > lastSeenHereMs + LAST_SEEN_WRITTEN_EVERY_MS;
  }

  /** The time since which a queue needs events, if its client was last seen at the given time. UNIX milliseconds. */
  eventsNeededSince(lastSeenAt: number): number {
    return lastSeenAt - EVENTS_BEFORE_LAST_SEEN_MS;
  }

  /** Also called regularly: the later a clock jump is noticed, the longer abandoned queues live. */
  noteJump(): void {
    const nowMs = this.clock.nowMs();
    const aheadMs = nowMs - this.clock.monotonicMs();
    if (Math.abs(aheadMs - this.aheadMs) <= JUMP_MS) return;
    this.aheadMs = aheadMs;
    this.watchedSinceMs = nowMs;
  }
}

/** Maximum number of queues per person; beyond it, those that were not polled for longest are deleted. */
const MAX_QUEUES_OF_ACCOUNT = 1_000;

const QUEUE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The caller of a request for a queue. */
export type QueueOwner = Pick<Actor, 'userId' | 'limit'>;

/** Creates, finds and deletes the queues of clients. */
@Injectable()
export class EventQueuesService {
  /** Queues that started up to this number have ended, though their rows may still exist for a moment. */
  private endedUpTo = -1;

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly live: LiveQueues,
    private readonly reader: EventLogReader,
    private readonly lifetimes: QueueLifetimesService,
    private readonly clock: Clock,
    private readonly handover: QueueHandover,
    claims: LogClaims,
    hooks: Hooks,
  ) {
    // Only one poll per queue waits at a time, on any node: the client has left this node.
    handover.onTaken((queueId) => this.forget(queueId));
    claims.add(() => this.eventsNeededSince());
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(EventQueue).delete({ userId });
    });
    // Their clients' data is no longer valid.
    hooks.on(commitsLost, (upTo) => this.endUpTo(upTo));
    hooks.on(lostCommitsNoted, async (tx, upTo) => {
      await tx.query('DELETE FROM event_queue WHERE start_number <= ?', [upTo]);
      tx.emit({ type: NodeRow.queuesEnded, up_to: upTo }, Audience.none);
    });
    hooks.on(rowsPutBack, async (tx) => {
      const rows = await tx.query<{ id: string }>('DELETE FROM event_queue RETURNING id');
      for (const { id } of rows) this.tellRemoved(tx, id);
    });
  }

  /**
   * Creates a queue of the events after a number of the log.
   * @throws {ServerBusy} if the database lost commits that the client was about to see
   */
  async create(queue: Omit<StoredQueue, 'id'>): Promise<LiveQueue> {
    // A node that has read as far as its queues' start notices when the log is set back behind that.
    if (this.reader.position < queue.startNumber) await this.reader.catchUp();
    const id = randomUUID();
    const nowMs = this.clock.nowMs();
    const evicted = await this.transactions.run(async (tx) => {
      await tx.query(
        `INSERT INTO event_queue (id, user_id, options, start_number, idle_timeout_seconds, last_seen_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        [
          id,
          queue.userId,
          JSON.stringify(queue.options),
          queue.startNumber,
          queue.idleTimeoutMs / 1000,
          nowMs,
        ],
      );
      const rows = await tx.query<{ id: string }>(
        `DELETE FROM event_queue WHERE id IN (
           SELECT id FROM event_queue WHERE user_id = ? ORDER BY last_seen_at DESC LIMIT 1000 OFFSET ?)
         RETURNING id`,
        [queue.userId, MAX_QUEUES_OF_ACCOUNT],
      );
      for (const row of rows) this.tellRemoved(tx, row.id);
      return rows;
    });
    for (const row of evicted) this.forget(row.id);
    if (queue.startNumber <= this.endedUpTo) {
      await this.transactions.run((tx) => tx.repository(EventQueue).delete({ id }));
      throw new ServerBusy();
    }
    return this.live.add(new LiveQueue({ ...queue, id }, nowMs));
  }

  /**
   * @param limit of the caller: a named key finds only the queues that it registered itself
   * @throws BadEventQueueId unless the queue exists, has not expired and belongs to this person, always with the same
   * text
   */
  async find({ userId, limit }: QueueOwner, queueId: string): Promise<LiveQueue> {
    const known = this.live.byId(queueId);
    const queue = known && !this.lifetimes.isAbandoned(known) ? known : await this.load(queueId);
    const isOutOfReach = limit && queue?.keyId !== limit.keyId;
    if (queue?.userId !== userId || isOutOfReach) throw new BadEventQueueId(queueId);
    return queue;
  }

  /**
   * Deletes a queue; a waiting poll is answered first.
   * @throws BadEventQueueId
   */
  async remove(owner: QueueOwner, queueId: string): Promise<void> {
    const queue = await this.find(owner, queueId);
    this.forget(queue.id);
    await this.transactions.run(async (tx) => {
      await tx.repository(EventQueue).delete({ id: queue.id });
      this.tellRemoved(tx, queue.id);
    });
  }

  /** Deletes the queues of a deactivated account, which would lack the events until its reactivation. */
  async removeAllOf(userId: number): Promise<void> {
    for (const queue of this.live.ofUser(userId)) this.forget(queue.id);
    await this.transactions.run((tx) => tx.repository(EventQueue).delete({ userId }));
  }

  /** Answers the poll that is waiting at a deleted queue. */
  forget(queueId: string): void {
    const queue = this.live.byId(queueId);
    if (!queue) return;
    this.live.remove(queue);
    queue.answer([], this.reader.position, this.clock.nowMs());
  }

  /** Ends the queues that started up to a number of the log: their clients have to register again. */
  endUpTo(number: number): void {
    this.endedUpTo = Math.max(this.endedUpTo, number);
    for (const queue of [...this.live.all()]) if (queue.startNumber <= number) this.forget(queue.id);
  }

  /** Other nodes may have the queue in memory. */
  private tellRemoved(tx: Transaction, queueId: string): void {
    tx.emit({ type: NodeRow.queueRemoved, queue_id: queueId }, Audience.none);
  }

  private async load(queueId: string): Promise<LiveQueue | undefined> {
    if (!QUEUE_ID.test(queueId)) return undefined;
    const [row] = await entityRows(this.database.read, EventQueue, 'WHERE id = ?', [queueId]);
    // Another request may have loaded it, or the client may have returned, in the meantime.
    const known = this.live.byId(queueId);
    if (known && !this.lifetimes.isAbandoned(known)) return known;
    if (known) this.live.remove(known);
    if (!row || row.startNumber <= this.endedUpTo || this.lifetimes.isExpired(row)) return undefined;
    if (known && !this.lifetimes.wasSeenElsewhere(row, known.lastSeenMs)) return undefined;
    const queue = new LiveQueue(
      {
        id: row.id,
        userId: row.userId,
        options: JSON.parse(row.options) as QueueOptions,
        startNumber: row.startNumber,
        idleTimeoutMs: row.idleTimeoutSeconds * 1000,
      },
      this.lifetimes.lastSeenMs(row),
    );
    this.handover.tellTaken(queue.id);
    return this.live.add(queue);
  }

  /** A client can still request everything since shortly before it was last seen. */
  private async eventsNeededSince(): Promise<number | null> {
    const [row] = await this.database.read.query<{ last_seen_at: number | null }>(
      'SELECT MIN(last_seen_at) AS last_seen_at FROM event_queue',
    );
    const lastSeenAt = row?.last_seen_at ?? null;
    return lastSeenAt === null ? null : this.lifetimes.eventsNeededSince(lastSeenAt);
  }
}
