import { Logger } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';

const LOOK_EVERY_MS = 1_000;

/** What pg keeps to itself: whether an answer is due, and where it would come from. */
interface Insides {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Duplex & { readonly bytesRead: number } };
}

/** How much a connection had said when it was last seen to say something, and when that was. */
interface Seen {
  readonly limitMs: number;
  bytes: number;
  atMs: number;
}

/**
 * Gives up connections on which PostgreSQL owes an answer and says nothing. Where a line falls silent (a firewall forgets
 * it, a machine is gone) nobody closes it, and whoever waits would wait for minutes, together with everybody after them.
 * The limits that PostgreSQL itself keeps end nothing then. Those that are idle are given up with the silent ones: they
 * have most likely had the same fate.
 *
 * It only looks, once a second: a timer for each statement would cost more than many a statement.
 */
export class SilenceWatch {
  private readonly logger = new Logger('PostgreSQL');
  private readonly clients = new Map<PoolClient, Seen>();
  private readonly overlooked = new Set<PoolClient>();
  private readonly timer: NodeJS.Timeout;
  private lookedAtMs = performance.now();

  constructor() {
    this.timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** @param limitMs of silence after which a connection is given up; longer than any of its statements may take */
  watch(pool: Pool, limitMs: number): void {
    // Those that were made before somebody watched are seen when they are next used.
    pool.on('acquire', (client) => {
      if (!this.clients.has(client)) this.clients.set(client, { limitMs, bytes: -1, atMs: 0 });
    });
    pool.on('remove', (client) => this.clients.delete(client));
  }

  /** Lets a connection be silent for as long as it likes while some work goes on. */
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
    // Where this process itself stood still, answers may have come that it has not read.
    const stoodStill = nowMs - this.lookedAtMs > 3 * LOOK_EVERY_MS;
    this.lookedAtMs = nowMs;
    if (stoodStill) {
      for (const seen of this.clients.values()) seen.atMs = nowMs;
      return;
    }
    const silent = [...this.clients].filter(([client, seen]) => this.isSilent(client, seen, nowMs));
    if (silent.length === 0) return;
    const idle = [...this.clients.keys()].filter((client) => insides(client).readyForQuery);
    this.logger.warn(
      `PostgreSQL owes answers and says nothing: closing ${silent.length} connections, and ${idle.length} idle ones.`,
    );
    for (const client of [...silent.map(([each]) => each), ...idle]) {
      this.clients.delete(client);
      // The beginning is by what requests are told apart that may be made again.
      insides(client).connection.stream.destroy(new Error('Connection terminated: nothing came over it.'));
    }
  }

  private isSilent(client: PoolClient, seen: Seen, nowMs: number): boolean {
    const { readyForQuery, connection } = insides(client);
    const bytes = connection.stream.bytesRead;
    if (readyForQuery || bytes !== seen.bytes || this.overlooked.has(client)) {
      seen.bytes = bytes;
      seen.atMs = nowMs;
    }
    return nowMs - seen.atMs > seen.limitMs;
  }
}

function insides(client: PoolClient): Insides {
  return client as unknown as Insides;
}
