import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { EventQueue } from './event-queue.entity';
import type { LiveQueue } from './live-queue';
import { InvalidIdleTimeout } from '../realtime.api';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const USUAL_IDLE_MS = 10 * MINUTE_MS;
/** For the word `mobile`: a phone sleeps through the night. */
const MOBILE_IDLE_MS = 12 * HOUR_MS;
const LONGEST_IDLE_MS = 7 * 24 * HOUR_MS;

/** How often the rows of queues learn that their clients are there; they may lag by this and a little more. */
export const LAST_SEEN_WRITTEN_EVERY_MS = MINUTE_MS;
const LAST_SEEN_LAG_MS = 1.5 * LAST_SEEN_WRITTEN_EVERY_MS;

/** A client may lack events older than the moment when it was last seen, by at most this. */
const EVENTS_BEFORE_LAST_SEEN_MS = 10 * MINUTE_MS;

/** A time of day that moves by more than this beside the one that measures intervals was put forward or back. */
const JUMP_MS = 10 * SECOND_MS;

/** Decides how long queues live. */
@Injectable()
export class QueueLifetimesService {
  /** Before that, polls may have gone unnoticed: the server was down, or its clock was wrong. */
  private watchedSinceMs: number;
  /** How far the time of day is ahead of the time that measures intervals. */
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
   * When the client of a queue was last there, for this purpose: while the server was down or asleep no client could come,
   * so every queue gets its whole idle time again after a start, and after a jump of the clock.
   */
  lastSeenMs({ lastSeenAt }: Pick<EventQueue, 'lastSeenAt'>): number {
    this.noteJump();
    return Math.max(lastSeenAt + LAST_SEEN_LAG_MS, this.watchedSinceMs);
  }

  /** Whether the client of a queue stayed away for too long, or so long that its events are gone. */
  isExpired(queue: Pick<EventQueue, 'lastSeenAt' | 'idleTimeoutSeconds'>): boolean {
    const nowMs = this.clock.nowMs();
    return (
      this.lastSeenMs(queue) + queue.idleTimeoutSeconds * SECOND_MS < nowMs ||
      queue.lastSeenAt + this.eventsKeptMs < nowMs
    );
  }

  /** The same of a queue in memory, of which is known to the moment when its client was there. */
  isAbandoned({ parked, lastSeenMs, idleTimeoutMs }: LiveQueue): boolean {
    this.noteJump();
    return parked === null && Math.max(lastSeenMs, this.watchedSinceMs) + idleTimeoutMs < this.clock.nowMs();
  }

  /** Whether another node saw the client after this one did. */
  wasSeenElsewhere({ lastSeenAt }: Pick<EventQueue, 'lastSeenAt'>, lastSeenHereMs: number): boolean {
    return lastSeenAt > lastSeenHereMs + LAST_SEEN_WRITTEN_EVERY_MS;
  }

  /** Since when a queue needs events, if its client was last seen at the given time. UNIX milliseconds. */
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
