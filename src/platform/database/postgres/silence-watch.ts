import { Logger } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';

const LOOK_EVERY_MS = 1_000;

/** A connection that owes an answer for this long is checked. Most statements take a thousandth of it. */
const DOUBTED_AFTER_MS = 3_000;

/** Queries PostgreSQL, on another connection, about its backend processes. */
export interface ProcessControl {
  /** The processes that are working at the moment; null if this query gets no answer either. */
  working(processIds: readonly number[]): Promise<ReadonlySet<number> | null>;
  /** Terminates processes that have been idle for seconds. @returns whether PostgreSQL answered */
  terminate(processIds: readonly number[]): Promise<boolean>;
}

/** pg's private fields: whether an answer is due, on which socket, and from which process. */
interface Insides {
  readonly readyForQuery: boolean;
  readonly processID: number | null;
  readonly connection: { readonly stream: Duplex & { readonly bytesRead: number } };
}

/** How long silence is tolerated. */
export interface SilenceLimits {
  /** After this long a connection is closed; longer than any of its statements may take. */
  readonly limitMs: number;
  /**
   * Before that, a connection is closed once PostgreSQL has not worked for it, or not answered at all, for this long; 0
   * for immediately.
   */
  readonly patienceMs: number;
}

/** How much a connection had received when it last received something, and when that was. */
interface Seen {
  readonly limits: SilenceLimits;
  bytes: number;
  atMs: number;
  /** Since when PostgreSQL has not worked for it, or not answered at all; null if not suspect. */
  suspectAtMs: number | null;
}

/**
 * Closes connections on which PostgreSQL owes an answer and is silent. Nothing closes a broken connection (an expired
 * firewall state, a lost machine), PostgreSQL's own timeouts have no effect, and requests would wait for minutes. Idle
 * connections are closed with silent ones: they most likely had the same fate. A connection that is silent for seconds
 * is checked on another one: if PostgreSQL is working for it, it is left alone up to its limit; if the check itself
 * gets no answer, it is closed. The watch polls once a second: a timer per statement would cost more than many
 * statements.
 */
export class SilenceWatch {
  private readonly logger = new Logger('PostgreSQL');
  private readonly clients = new Map<PoolClient, Seen>();
  private readonly overlooked = new Set<PoolClient>();
  private readonly timer: NodeJS.Timeout;
  private lookedAtMs = performance.now();
  private isAsking = false;
  /** Processes of closed connections: PostgreSQL does not notice, and they keep their locks. */
  private readonly orphans = new Set<number>();

  /** @param processes null if the processes of connections are unknown, as behind a pooler */
  constructor(private readonly processes: ProcessControl | null) {
    this.timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** Watches each connection of a pool from its next use. */
  watch(pool: Pool, limits: SilenceLimits): void {
    // Existing connections are noticed on their next use.
    pool.on('acquire', (client) => {
      if (!this.clients.has(client)) {
        this.clients.set(client, { limits, bytes: -1, atMs: 0, suspectAtMs: null });
        // An idle client has no listener, and an unhandled error would end the process.
        client.on('error', () => undefined);
      }
    });
    pool.on('remove', (client) => this.clients.delete(client));
  }

  /** Suspends the limits for a connection during some work. */
  async overlooking<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
    this.overlooked.add(client);
    try {
      return await work();
    } finally {
      this.overlooked.delete(client);
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(nowMs: number): void {
    // If this process itself was stalled, answers may have arrived unread.
    const stoodStill = nowMs - this.lookedAtMs > 3 * LOOK_EVERY_MS;
    this.lookedAtMs = nowMs;
    if (stoodStill) {
      for (const seen of this.clients.values()) Object.assign(seen, { atMs: nowMs, suspectAtMs: null });
      return;
    }
    for (const [client, seen] of this.clients) this.listen(client, seen, nowMs);
    const silent = [...this.clients].filter(([, seen]) => isOver(seen, nowMs));
    if (silent.length > 0) this.giveUp(silent);
    const doubted = [...this.clients].filter(([, { atMs }]) => nowMs - atMs > DOUBTED_AFTER_MS);
    if (doubted.length + this.orphans.size > 0 && !this.isAsking) void this.settle(doubted);
  }

  /** Notes whether a connection received something or owes nothing. */
  private listen(client: PoolClient, seen: Seen, nowMs: number): void {
    const { readyForQuery, connection } = insides(client);
    const bytes = connection.stream.bytesRead;
    if (!readyForQuery && bytes === seen.bytes && !this.overlooked.has(client)) return;
    Object.assign(seen, { bytes, atMs: nowMs, suspectAtMs: null });
  }

  /** Suspect connections have until the next check: an answer may be on its way. */
  private async settle(doubted: readonly (readonly [PoolClient, Seen])[]): Promise<void> {
    if (!this.processes) return;
    this.isAsking = true;
    try {
      if (doubted.length > 0) await this.askAbout(this.processes, doubted);
      const orphans = [...this.orphans];
      if (orphans.length > 0 && (await this.processes.terminate(orphans)))
        for (const orphan of orphans) this.orphans.delete(orphan);
    } catch (error) {
      // The server answers but cannot check processes, so the plain limits apply.
      this.logger.warn(error);
    } finally {
      this.isAsking = false;
    }
  }

  private async askAbout(
    processes: ProcessControl,
    doubted: readonly (readonly [PoolClient, Seen])[],
  ): Promise<void> {
    const heard = doubted.map(([, { bytes }]) => bytes);
    const working = await processes.working(doubted.map(([client]) => processOf(client)));
    for (const [at, [client, seen]] of doubted.entries()) {
      const isSuspect = seen.bytes === heard[at] && !working?.has(processOf(client));
      seen.suspectAtMs = isSuspect ? (seen.suspectAtMs ?? performance.now()) : null;
    }
  }

  private giveUp(silent: readonly (readonly [PoolClient, Seen])[]): void {
    const idle = [...this.clients.keys()].filter((client) => insides(client).readyForQuery);
    this.logger.warn(
      `PostgreSQL is not responding. Closing ${silent.length} busy and ${idle.length} idle connections.`,
    );
    for (const client of [...silent.map(([each]) => each), ...idle]) {
      this.clients.delete(client);
      this.orphans.add(processOf(client));
      // Retry logic recognizes the beginning of this message.
      insides(client).connection.stream.destroy(new Error('Connection terminated after a silence timeout.'));
    }
  }
}

/** Whether the connection has no pending statement any more. */
function isOver({ atMs, suspectAtMs, limits }: Seen, nowMs: number): boolean {
  return (suspectAtMs !== null && nowMs - suspectAtMs >= limits.patienceMs) || nowMs - atMs > limits.limitMs;
}

function processOf(client: PoolClient): number {
  return insides(client).processID ?? 0;
}

function insides(client: PoolClient): Insides {
  return client as unknown as Insides;
}
