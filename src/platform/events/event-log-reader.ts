import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { RedisLink } from '../redis/redis-link';
import type { WorkerLink } from '../workers/worker-link';
import { EventLog, type LoggedEvent } from './event-log.service';
import { Clock } from '../clock';
import { Metrics } from '../metrics/metrics';
import { Rounds } from '../rounds';

/** Receives the highest log number of a commit. Must not throw. */
export type LogListener = (lastNumber: number) => void;

/**
 * Signals that the event log grew. It is a hint that makes readers fast, not a delivery: it may be repeated, late, out
 * of order or, between nodes, lost, so readers also poll from time to time.
 */
export abstract class WakeUp {
  /** Call it after the commit, never before. */
  abstract announce(lastNumber: number): void;

  /** @returns an unsubscribe function */
  abstract onLogGrown(listener: LogListener): () => void;
}

/** Wakes the readers in this process. */
@Injectable()
export class InProcessWakeUp extends WakeUp {
  private readonly listeners = new Set<LogListener>();

  announce(lastNumber: number): void {
    for (const listener of this.listeners) listener(lastNumber);
  }

  onLogGrown(listener: LogListener): () => void {
    const own: LogListener = (lastNumber) => listener(lastNumber);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }
}

const TOPIC = 'wake-up';

/** Wakes the readers in this process immediately, and those of other nodes through Redis. */
export class NodeWakeUp extends InProcessWakeUp {
  private highest = 0;
  private isDue = false;

  constructor(private readonly link: RedisLink | WorkerLink) {
    super();
    link.listen(TOPIC, (text) => {
      const number = Number(text);
      if (Number.isSafeInteger(number)) super.announce(number);
    });
  }

  override announce(lastNumber: number): void {
    super.announce(lastNumber);
    this.highest = Math.max(this.highest, lastNumber);
    if (this.isDue) return;
    this.isDue = true;
    // Commits at about the same time share one announcement, of the last number.
    setImmediate(() => {
      this.isDue = false;
      this.link.publish(TOPIC, String(this.highest));
    });
  }
}

/** Receives new rows: in order, each once, without gaps. Must not throw. */
export type RowListener = (rows: readonly LoggedEvent[]) => void;

/**
 * Called when the log went back after this node had read up to a position. Must not throw.
 * @returns an upper bound of the numbers before that, equal on all nodes, however far they had read
 */
export type SetBackListener = (position: number) => number;

/** Maximum number of the newest rows kept in memory, and of characters of their events. */
const MAX_ROWS = 10_000;
const MAX_CHARACTERS = 8_000_000;
/** Rows are evicted in portions of this share, because moving the remaining ones costs time. */
const EVICTED_SHARE = 0.25;
/** Number of rows read at the start, for clients that reconnect after it. */
const ROWS_AT_START = 2_500;

const ROWS_PER_QUERY = 500;

/** A wake-up may get lost between nodes, so the reader also polls. */
const INTERVAL_MS = 1_000;

/**
 * Follows the event log once for the whole node: notifies all waiting polls, and keeps the newest part of the log in
 * memory for clients that arrive a little later.
 */
@Injectable()
export class EventLogReader implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('EventLogReader');
  private readonly listeners = new Set<RowListener>();
  private readonly setBackListeners: SetBackListener[] = [];
  /** The last row read. */
  private newest: LoggedEvent | undefined;
  private rows: LoggedEvent[] = [];
  private characters = 0;
  private before = 0;
  private last = 0;
  /** Rows up to this number are from before the log was reset, and are not delivered again. */
  private setBackTo = 0;
  private readonly rounds = new Rounds(() => this.readOn());
  private timer: NodeJS.Timeout | undefined;
  private endWakeUp: () => void = () => undefined;

  constructor(
    private readonly log: EventLog,
    private readonly wakeUp: WakeUp,
  ) {}

  /** The highest number read: listeners have received everything up to it. */
  get position(): number {
    return this.last;
  }

  /** Memory contains every row after this number, up to the {@link position}. */
  get memoryBegins(): number {
    return this.before;
  }

  /** Rows in memory after a number, which must not be below {@link memoryBegins}. */
  after(number: number): readonly LoggedEvent[] {
    return this.rows.slice(this.firstAfter(number));
  }

  /** The row with a number above {@link memoryBegins}; undefined if there is none. */
  row(number: number): LoggedEvent | undefined {
    const row = this.rows[this.firstAfter(number - 1)];
    return row?.number === number ? row : undefined;
  }

  /** @returns an unsubscribe function */
  onRows(listener: RowListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Registers the listener for a log that went back because PostgreSQL lost commits: a replica without them took over,
   * or an older copy was restored. Rows read before are no longer valid. The reader has already restarted when it calls
   * the listener.
   */
  onSetBack(listener: SetBackListener): void {
    this.setBackListeners.push(listener);
  }

  async onModuleInit(): Promise<void> {
    this.begin(await this.log.lastNumber());
    await this.readOn();
    this.endWakeUp = this.wakeUp.onLogGrown((number) => {
      if (number > this.last) void this.look();
    });
    this.timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.endWakeUp();
    await this.rounds.ended();
  }

  /**
   * Resolves once everything committed before the call is read.
   * @throws if the database cannot be read
   */
  catchUp(): Promise<void> {
    return this.rounds.join();
  }

  /** The next poll makes up for a failed one. */
  private async look(): Promise<void> {
    await this.catchUp().catch((error: unknown) => this.logger.error(error));
  }

  private begin(newest: number): void {
    this.rows = [];
    this.characters = 0;
    this.newest = undefined;
    this.before = this.last = Math.max(0, newest - ROWS_AT_START);
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const rows = await this.log.readOnAfter(this.newest, this.last, ROWS_PER_QUERY);
      if (rows === 'set back') {
        await this.restart();
        continue;
      }
      this.keep(rows);
      this.notifyListeners(rows);
      if (rows.length < ROWS_PER_QUERY) return;
    }
  }

  private async restart(): Promise<void> {
    const newest = await this.log.lastNumber();
    const position = this.last;
    this.begin(newest);
    this.logger.error(
      `The database lost commits: event ${position} is no longer in its log. Clients must register again.`,
    );
    for (const listener of this.setBackListeners) {
      this.setBackTo = Math.max(this.setBackTo, listener(position));
    }
  }

  /** After the log went back, newly registered clients may already be waiting, on this node too. */
  private notifyListeners(rows: readonly LoggedEvent[]): void {
    const isNew = (rows[0]?.number ?? 0) > this.setBackTo;
    const untold = isNew ? rows : rows.filter(({ number }) => number > this.setBackTo);
    if (untold.length > 0) for (const listener of this.listeners) listener(untold);
  }

  private keep(rows: readonly LoggedEvent[]): void {
    for (const row of rows) {
      this.rows.push(row);
      this.characters += row.payload.length;
      this.last = row.number;
      this.newest = row;
    }
    if (this.rows.length > MAX_ROWS || this.characters > MAX_CHARACTERS) this.evict();
  }

  private evict(): void {
    const maxRows = MAX_ROWS * (1 - EVICTED_SHARE);
    const maxCharacters = MAX_CHARACTERS * (1 - EVICTED_SHARE);
    let gone = 0;
    while (this.rows.length - gone > maxRows || this.characters > maxCharacters) {
      const row = this.rows[gone++] as LoggedEvent;
      this.characters -= row.payload.length;
      this.before = row.number;
    }
    this.rows = this.rows.slice(gone);
  }

  private firstAfter(number: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle] as LoggedEvent).number <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Metrics of the event log: its length, and how far and how soon this node reads it. */
@Injectable()
export class EventLogMetrics implements OnModuleDestroy {
  private readonly end: () => void;

  constructor(
    private readonly log: EventLog,
    private readonly reader: EventLogReader,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauges(
      {
        parley_event_log_length:
          'Numbers from the oldest event kept to the newest; a write undone leaves a gap.',
        parley_event_log_oldest_age_seconds: 'Age of the oldest event kept.',
        parley_event_log_lag: 'Numbers that are in the log and were not read by this node yet.',
      },
      () => this.read(),
    );
    const delay = metrics.durations(
      'parley_event_delay_seconds',
      'From when an event was written until this node read it, for the last of those read together.',
    );
    this.end = reader.onRows((rows) => {
      const { createdAt } = rows.at(-1) as LoggedEvent;
      // Clocks of two nodes differ.
      delay.observe(Math.max(0, this.clock.nowMs() - createdAt) / 1000);
    });
  }

  onModuleDestroy(): void {
    this.end();
  }

  private async read() {
    // In this order, because the log keeps growing and the reader keeps reading.
    const [oldest] = await this.log.readAfter(0, 1);
    const newest = await this.log.lastNumber();
    return {
      parley_event_log_length: oldest ? newest - oldest.number + 1 : 0,
      parley_event_log_oldest_age_seconds: oldest ? (this.clock.nowMs() - oldest.createdAt) / 1000 : 0,
      parley_event_log_lag: Math.max(0, newest - this.reader.position),
    };
  }
}
