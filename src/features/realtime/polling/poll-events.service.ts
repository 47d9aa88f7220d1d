import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import { EventLog, type LoggedEvent } from '../../../platform/events/event-log.service';
import type { ServerEvent } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import { type LaterAnswer, SharedJson } from '../../../platform/http/envelope.interceptor';
import { ShutdownSignal } from '../../../platform/lifecycle/graceful-stop';
import { Semaphore } from '../../../platform/semaphore';
import { callerCheckPort } from '../../users/users.module';
import { EventQueuesService, type QueueOwner } from '../queues/event-queues.service';
import {
  BEFORE_FIRST_EVENT,
  isTransient,
  type LiveQueue,
  numberOf,
  type ParkedPoll,
  type QueueEvent,
} from '../queues/live-queue';
import { LiveQueues } from '../queues/live-queues.directory';
import { OutgoingEventsService } from '../queues/outgoing-events.service';
import { EventAlreadyPruned, EventNotInQueue } from '../realtime.api';

const ROWS_PER_QUERY = 500;

/** After an outage many clients request past events at once; this many of them read concurrently. */
const READ_AT_A_TIME = 4;

/**
 * Limits of a response: the number of events, and the number of characters after which no more are added; the next
 * response contains the rest.
 */
const MAX_EVENTS = 1_000;
const MAX_CHARACTERS = 4_000_000;

/** The response to a poll while it is being collected from the log. */
class EventBatch {
  private readonly events: QueueEvent[] = [];
  private characters = 0;

  constructor(
    /** The last event that the client has received. */
    private readonly afterId: number,
    private upTo: number,
  ) {}

  /** The number up to which the log was searched. */
  get searchedTo(): number {
    return this.upTo;
  }

  get isFull(): boolean {
    return this.events.length >= MAX_EVENTS || this.characters >= MAX_CHARACTERS;
  }

  /** Adds the events of a row, some of which the client may already have. */
  add(events: readonly QueueEvent[], number: number): void {
    for (const event of events) {
      if (event.id <= this.afterId) continue;
      this.events.push(event);
      this.characters += event.members.length;
    }
    this.upTo = number;
  }

  /** Records that all rows up to a number were searched. */
  noteSearched(number: number): void {
    this.upTo = Math.max(this.upTo, number);
  }

  /**
   * All events in the order of their IDs.
   * @param transients transient events; those after the last event of a full batch have to wait
   */
  with(transients: readonly QueueEvent[]): readonly QueueEvent[] {
    const last = this.isFull ? (this.events.at(-1)?.id ?? 0) : Infinity;
    const fitting = transients.filter(({ id }) => id < last);
    return fitting.length === 0 ? this.events : [...this.events, ...fitting].sort((a, b) => a.id - b.id);
  }
}

/** Reads past events: rows of the log that are no longer in memory. */
@Injectable()
export class PastEventsService {
  private readonly semaphore = new Semaphore(READ_AT_A_TIME);

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly reader: EventLogReader,
    private readonly outgoing: OutgoingEventsService,
  ) {}

  /**
   * Adds the events of a queue to a batch, from the start of the batch to where memory begins.
   * @returns whether the client is still connected
   */
  async collect(queue: LiveQueue, batch: EventBatch, answer: LaterAnswer): Promise<boolean> {
    while (batch.searchedTo < this.reader.memoryBegins && !batch.isFull) {
      if (answer.isUnwanted) return false;
      const rows = await this.read(batch.searchedTo, ROWS_PER_QUERY);
      // Recently committed rows are in memory.
      const past = rows.filter(({ number }) => number <= this.reader.position);
      for (const row of past) {
        if (batch.isFull) return true;
        batch.add(this.outgoing.eventsOf(row, queue), row.number);
      }
      if (rows.length < ROWS_PER_QUERY) batch.noteSearched(this.reader.memoryBegins);
    }
    return true;
  }

  /** A row of the log; undefined if it does not exist, or no longer exists. */
  async row(number: number): Promise<LoggedEvent | undefined> {
    const [row] = await this.read(number - 1, 1);
    return row?.number === number ? row : undefined;
  }

  private read(after: number, limit: number): Promise<LoggedEvent[]> {
    return this.semaphore.run(() => this.log.readAfter(after, limit, this.database.background));
  }
}

/** A client's request for events. */
interface Poll {
  readonly queueId: string;
  /** The last event that the client has received; it gets later ones. */
  readonly lastEventId: number;
  /** Whether to wait for an event if there is none. */
  readonly mayWait: boolean;
  /** The deadline for a heartbeat, by `clock.monotonicMs()`; omitted if it has not waited yet. */
  readonly heartbeatAtMs?: number;
}

/** An event as a queue delivers it. */
interface ClientEvent extends ServerEvent {
  readonly id: number;
}

/** The response to a poll. */
export type EventsAnswer = SharedJson<{ events: ClientEvent[] }>;

/** Heartbeats are sent after 45 to 55 seconds, at random, so that clients do not all reconnect at once. */
const HEARTBEAT_AFTER_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 9_000;

/** Nodes read the log at least once a second, and reconnect after a failover. */
const LOSS_NOTICED_WITHIN_MS = 4_000;
const LOOK_AGAIN_MS = 500;

/** Answers polls: immediately if there are events, later otherwise. */
@Injectable()
export class PollEventsService {
  private readonly answers = new EventsAnswers();

  constructor(
    private readonly queues: EventQueuesService,
    private readonly live: LiveQueues,
    private readonly outgoing: OutgoingEventsService,
    private readonly database: Database,
    private readonly reader: EventLogReader,
    private readonly past: PastEventsService,
    private readonly clock: Clock,
    private readonly shutdown: ShutdownSignal,
    private readonly hooks: Hooks,
  ) {
    shutdown.onStop(() => this.answerAll());
  }

  /**
   * Returns the events of a queue after the given one, which acknowledges all earlier ones. Reading removes nothing
   * from a queue: repeating the request returns the same events.
   * @param answer is sent once there are events, possibly after this method has returned
   * @throws BadEventQueueId, EventAlreadyPruned, EventNotInQueue
   */
  async poll(owner: QueueOwner, poll: Poll, answer: LaterAnswer<EventsAnswer>): Promise<void> {
    const { lastEventId } = poll;
    const queue = await this.queues.find(owner, poll.queueId);
    // Only one poll per queue waits at a time: an earlier one is answered with the available events.
    queue.answer([], this.reader.position, this.clock.nowMs());
    queue.lastSeenMs = this.clock.nowMs();
    const number = (queue.polls += 1);
    await this.checkEvent(queue, lastEventId);
    queue.acknowledge(lastEventId);
    // A poll that does not wait includes everything committed so far; one that waits is notified in a moment, on a node
    // that has read as far as the start of the queue.
    if (!poll.mayWait || this.reader.position < queue.startNumber) await this.reader.catchUp();

    const batch = new EventBatch(lastEventId, queue.searchFrom(lastEventId));
    if (!(await this.past.collect(queue, batch, answer))) return;
    // The queue may have ended, or been dropped from memory, in the meantime.
    if (!this.live.has(queue)) return this.poll(owner, poll, answer);
    // From here on nothing is awaited, so this poll cannot miss anything.
    this.fromMemory(queue, batch);
    const events = batch.with(queue.transientsAfter(lastEventId));
    if (!batch.isFull) queue.noteSearched(events.at(-1)?.id ?? lastEventId, this.reader.position);
    const isLatest = number === queue.polls && !this.shutdown.isStopping;
    if (events.length > 0 || !poll.mayWait || !isLatest) return answer.send(this.answers.of(events));
    this.wait(owner, queue, poll, answer);
  }

  private wait(owner: QueueOwner, queue: LiveQueue, poll: Poll, answer: LaterAnswer<EventsAnswer>): void {
    // The connection was closed while the caller was being checked again.
    if (answer.isUnwanted) return;
    const { lastEventId: afterId, heartbeatAtMs = this.heartbeatTime() } = poll;
    const parked: ParkedPoll = {
      afterId,
      heartbeatAtMs,
      sessionEndsAt: answer.request.sessionEndsAt,
      answer: (events) => answer.send(this.answers.of(events)),
      restart: () => void this.restart(owner, { ...poll, heartbeatAtMs }, answer),
    };
    queue.park(parked);
    answer.onClosed(() => {
      if (queue.parked === parked) queue.release(this.clock.nowMs());
    });
  }

  private heartbeatTime(): number {
    return this.clock.monotonicMs() + HEARTBEAT_AFTER_MS + Math.random() * HEARTBEAT_SPREAD_MS;
  }

  /** Never rejects: errors are sent to the caller. */
  private async restart(owner: QueueOwner, poll: Poll, answer: LaterAnswer<EventsAnswer>): Promise<void> {
    try {
      await this.hooks.provider(callerCheckPort)?.check(answer.request);
      await this.poll(owner, poll, answer);
    } catch (error) {
      answer.refuse(error);
    }
  }

  /** Refuses events that cannot be the last one that the client received from this queue. */
  private async checkEvent(queue: LiveQueue, eventId: number): Promise<void> {
    if (queue.hasPassed(eventId)) throw new EventAlreadyPruned(eventId);
    if (eventId === BEFORE_FIRST_EVENT || queue.knows(eventId)) return;
    const number = numberOf(eventId);
    // Another node may have delivered it and be ahead of this one.
    if (number > this.reader.position) await this.reader.catchUp();
    if (number > this.reader.position) await this.untilLossIsNoticed(queue);
    const isPossible = queue.startNumber <= number && number <= this.reader.position;
    if (!isPossible || !(isTransient(eventId) || (await this.isInQueue(queue, eventId)))) {
      throw new EventNotInQueue(eventId);
    }
  }

  /**
   * PostgreSQL may have lost the event in a failover: the node that delivered it will notice soon, and end the queue.
   * @throws BadEventQueueId if it does
   */
  private async untilLossIsNoticed(queue: LiveQueue): Promise<void> {
    if (this.database.engine === 'sqlite') return;
    for (let waitedMs = 0; waitedMs < LOSS_NOTICED_WITHIN_MS; waitedMs += LOOK_AGAIN_MS) {
      await sleep(LOOK_AGAIN_MS);
      await this.reader.catchUp();
      await this.queues.find({ userId: queue.userId }, queue.id);
    }
  }

  private async isInQueue(queue: LiveQueue, eventId: number): Promise<boolean> {
    const number = numberOf(eventId);
    if (number === queue.startNumber) return false;
    const isInMemory = number > this.reader.memoryBegins;
    const row = isInMemory ? this.reader.row(number) : await this.past.row(number);
    // Rows that no queue needs any more are deleted, and the client may not have received any event since.
    if (!row) return !isInMemory;
    return this.outgoing.eventsOf(row, queue).some(({ id }) => id === eventId);
  }

  /** Adds the remaining events up to now. */
  private fromMemory(queue: LiveQueue, batch: EventBatch): void {
    if (batch.isFull || batch.searchedTo >= this.reader.position) return;
    for (const row of this.reader.after(batch.searchedTo)) {
      if (batch.isFull) return;
      batch.add(this.outgoing.eventsOf(row, queue), row.number);
    }
  }

  private answerAll(): void {
    const nowMs = this.clock.nowMs();
    for (const queue of this.live.all()) queue.answer([], this.reader.position, nowMs);
  }
}

/** Serializes responses to polls: consecutive ones with the same events share the same JSON. */
class EventsAnswers {
  private last: { readonly events: readonly QueueEvent[]; readonly answer: EventsAnswer } | null = null;

  of(events: readonly QueueEvent[]): EventsAnswer {
    if (this.last?.events === events) return this.last.answer;
    const texts = events.map(({ id, members }) => `{"id":${id},${members}}`);
    const answer: EventsAnswer = new SharedJson(`{"events":[${texts.join(',')}]}`);
    this.last = { events, answer };
    return answer;
  }
}
