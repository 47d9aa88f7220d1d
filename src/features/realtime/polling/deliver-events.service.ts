import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { addTo } from '../../../platform/collections';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { type Emission, NodeRow } from '../../../platform/events/server-event';
import type { DirectoryName } from '../../../platform/events/directories';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import type { LoggedEvent } from '../../../platform/events/event-log.service';
import { TransientEvents } from '../../../platform/events/transient-events';
import { EventQueuesService } from '../queues/event-queues.service';
import { LiveQueues } from '../queues/live-queues.directory';
import { OutgoingEventsService } from '../queues/outgoing-events.service';
import type { LiveQueue, QueueEvent } from '../queues/live-queue';
import { heartbeat } from '../realtime.api';

/** How often to check for polls that are due a heartbeat, or whose session has ended. */
const TICK_MS = 1_000;

/** Transient events are dropped for a client that was away for this long. */
const TRANSIENT_FOR_MS = 60_000;

const HEARTBEAT = JSON.stringify(heartbeat({})).slice(1, -1);

/** Delivers events to waiting polls: new rows of the log, transient events, and heartbeats. */
@Injectable()
export class DeliverEventsService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('DeliverEvents');
  private readonly ends: (() => void)[] = [];
  private growing: Promise<void> | null = null;
  /** Queues that have run out of IDs for transient events until the log grows. */
  private readonly short = new Set<LiveQueue>();

  constructor(
    private readonly reader: EventLogReader,
    private readonly transientEvents: TransientEvents,
    private readonly queues: EventQueuesService,
    private readonly live: LiveQueues,
    private readonly outgoing: OutgoingEventsService,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.clock.onMoved(async () => this.answerDuePolls());
    const timer = setInterval(() => this.answerDuePolls(), TICK_MS).unref();
    this.ends.push(
      this.reader.onRows((rows) => this.deliver(rows)),
      this.transientEvents.onPublished((emission) => this.deliverTransient(emission)),
      () => clearInterval(timer),
    );
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.ends) end();
    await this.growing;
  }

  /** Answers each poll with all its events in a batch of rows. */
  private deliver(rows: readonly LoggedEvent[]): void {
    /** The events of the rows, per queue; queues with the same events share these lists. */
    const due = new Map<LiveQueue, (readonly QueueEvent[])[]>();
    const nowMs = this.clock.nowMs();
    for (const row of rows) {
      for (const userId of peopleToLookAtAgain(row)) {
        for (const queue of this.live.ofUser(userId)) queue.checkAgain(nowMs);
      }
      this.live.forEachConcerned(row, (queue) => {
        if (!queue.parked) return;
        const events = this.outgoing.eventsOf(row, queue);
        if (events.length > 0) addTo(due, queue, events);
      });
      this.endQueues(row);
    }
    for (const [queue, [first = [], ...more]] of due) {
      const events = more.length === 0 ? first : [...first, ...more.flat()];
      queue.answer(events, this.reader.position, nowMs);
    }
    for (const queue of [...this.short]) {
      this.short.delete(queue);
      if (queue.addUnnumbered(this.reader.position, nowMs)) this.growLogFor(queue);
    }
  }

  /** Some events end queues, regardless of the node on which they happened. */
  private endQueues(row: LoggedEvent): void {
    if (row.type === NodeRow.queueRemoved) this.queues.forget(String(row.event['queue_id']));
    if (row.type === NodeRow.queuesEnded) this.queues.endUpTo(Number(row.event['up_to']));
    // The payload of other events is not parsed here.
    const person =
      row.type === 'realm_user' ? (row.event['person'] as { user_id: number; is_active?: boolean }) : null;
    if (person?.is_active !== false) return;
    this.queues.removeAllOf(person.user_id).catch((error: unknown) => this.logger.error(error));
  }

  private deliverTransient({ event, audience, options }: Emission): void {
    const outgoing = this.outgoing.prepare({
      type: event.type,
      payload: JSON.stringify(event),
      audience,
      options,
    });
    const nowMs = this.clock.nowMs();
    this.live.forEachConcerned({ type: event.type, payload: '', audience, options }, (queue) => {
      if (!queue.parked && queue.lastSeenMs + TRANSIENT_FOR_MS < nowMs) queue.dropTransients();
      else if (outgoing.isFor(queue)) {
        for (const members of outgoing.textsFor(queue)) this.add(queue, members, nowMs);
      }
    });
  }

  /** Sends heartbeats, and ends polls of expired sessions. */
  private answerDuePolls(): void {
    const [nowMs, monotonicMs] = [this.clock.nowMs(), this.clock.monotonicMs()];
    const nowSeconds = this.clock.nowSeconds();
    for (const queue of this.live.all()) {
      const { parked } = queue;
      if (!parked) continue;
      if (parked.sessionEndsAt !== null && parked.sessionEndsAt <= nowSeconds) queue.checkAgain(nowMs);
      else if (parked.heartbeatAtMs <= monotonicMs) this.add(queue, HEARTBEAT, nowMs);
    }
  }

  private add(queue: LiveQueue, members: string, nowMs: number): void {
    if (queue.addTransient(members, this.reader.position, nowMs)) this.growLogFor(queue);
  }

  /** Appends to the log, so that there are IDs for transient events again. */
  private growLogFor(queue: LiveQueue): void {
    this.short.add(queue);
    this.growing ??= this.transactions
      .run(async (tx) => tx.emit({ type: NodeRow.nextNumber }, Audience.none))
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        this.growing = null;
      });
  }
}

/** Accounts whose waiting polls have to be authorized again. */
function peopleToLookAtAgain(row: LoggedEvent): readonly number[] {
  if (row.type === NodeRow.sessionsEnded) return [Number(row.event['user_id'])];
  if (row.type !== NodeRow.directories) return [];
  const touched = row.event['touched'] as Partial<Record<DirectoryName, number[]>>;
  const { accounts = [], named_keys: keyOwners = [] } = touched;
  return [...accounts, ...keyOwners];
}
