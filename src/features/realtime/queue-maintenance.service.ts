import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { In } from 'typeorm';
import { EventQueue } from './realtime.entity';
import {
  EventQueuesService,
  LAST_SEEN_WRITTEN_EVERY_MS,
  QueueLifetimesService,
} from './queues/event-queues.service';
import type { LiveQueue } from './queues/live-queue';
import { LiveQueues } from './queues/live-queues.directory';
import { serverRestarted } from './realtime.api';
import { SentEchoService } from './sent-echo.service';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Clock } from '../../platform/clock';
import { chunksOf } from '../../platform/collections';
import { Database } from '../../platform/database/database.service';
import { raiseState, readState } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { PeriodicTask } from '../../platform/lifecycle/periodic-task';
import type { Queryable } from '../../platform/sql/queryable';
import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../platform/version';
import { AccountDirectory } from '../users/users.module';

const ROWS_PER_STATEMENT = 500;

/** A queue whose client is away for this long is dropped from memory, and read from its row when the client returns. */
const IN_MEMORY_MS = 5 * 60_000;

/** Once a minute, stores which clients were seen, and deletes queues and events that are no longer needed. */
@Injectable()
export class QueueMaintenanceService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('QueueMaintenance');
  private writtenAtMs: number;
  private readonly task = new PeriodicTask('QueueMaintenance', () => this.maintain());

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly queues: EventQueuesService,
    private readonly live: LiveQueues,
    private readonly lifetimes: QueueLifetimesService,
    private readonly echoes: SentEchoService,
    private readonly clock: Clock,
  ) {
    this.writtenAtMs = clock.nowMs();
  }

  onModuleInit(): void {
    this.task.start(LAST_SEEN_WRITTEN_EVERY_MS, { clock: this.clock });
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    await this.writeLastSeen().catch((error: unknown) => this.logger.error(error));
  }

  /** Performs all tasks that are due. */
  async maintain(): Promise<void> {
    await this.writeLastSeen();
    await this.sweep();
    this.evictIdle();
    await this.echoes.expire();
  }

  private async writeLastSeen(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const seen = [...this.live.all()].filter(
      (queue) => !queue.parked && queue.lastSeenMs >= this.writtenAtMs,
    );
    this.writtenAtMs = nowMs;
    const polled = [...this.live.all()].filter((queue) => queue.parked);
    for (const queues of chunksOf(polled, ROWS_PER_STATEMENT)) await this.writeSeen(queues, nowMs);
    // Some are recorded as seen slightly later than they were, to avoid one statement per queue.
    seen.sort((a, b) => a.lastSeenMs - b.lastSeenMs);
    for (const queues of chunksOf(seen, ROWS_PER_STATEMENT))
      await this.writeSeen(queues, queues.at(-1)?.lastSeenMs ?? nowMs);
  }

  private async writeSeen(queues: readonly LiveQueue[], lastSeenMs: number): Promise<void> {
    const ids = queues.map(({ id }) => id);
    await this.transactions.run((tx) =>
      tx.repository(EventQueue).update({ id: In(ids) }, { lastSeenAt: lastSeenMs }),
    );
  }

  private async sweep(): Promise<void> {
    this.lifetimes.noteJump();
    const nowMs = this.clock.nowMs();
    const away = await this.database.read.query<Pick<EventQueue, 'id' | 'lastSeenAt' | 'idleTimeoutSeconds'>>(
      `SELECT id, last_seen_at AS "lastSeenAt", idle_timeout_seconds AS "idleTimeoutSeconds" FROM event_queue
       WHERE last_seen_at + CAST(idle_timeout_seconds AS bigint) * 1000 < ?`,
      [nowMs],
    );
    const expired = away.filter((queue) => this.lifetimes.isExpired(queue));
    for (const queues of chunksOf(expired, ROWS_PER_STATEMENT)) {
      const ids = queues.map(({ id }) => id);
      await this.transactions.run((tx) => tx.repository(EventQueue).delete({ id: In(ids) }));
      for (const id of ids) this.queues.forget(id);
    }
  }

  private evictIdle(): void {
    const before = this.clock.nowMs() - IN_MEMORY_MS;
    for (const queue of this.live.all()) {
      if (!queue.parked && queue.lastSeenMs < before) this.live.remove(queue);
    }
  }
}

const STATE_KEY = 'generation';

/**
 * Informs clients that the server was restarted, perhaps with another version: their queues continue, but their data
 * about the server may be outdated. Starts are numbered by their times.
 */
@Injectable()
export class ServerStartService implements OnApplicationBootstrap {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm', async (db) => ({ server_generation: await generationIn(db) })),
    );
  }

  onApplicationBootstrap(): Promise<void> {
    return this.announce();
  }

  /** Informs clients of a start. */
  async announce(): Promise<void> {
    await this.transactions.run(async (tx) => {
      // Nodes may start within the same second.
      const generation = await raiseState(tx, STATE_KEY, this.clock.nowSeconds());
      tx.emit(
        serverRestarted({
          zulip_version: ADVERTISED_VERSION,
          zulip_merge_base: ADVERTISED_VERSION,
          zulip_feature_level: FEATURE_LEVEL,
          server_generation: generation,
        }),
        this.accounts.active,
      );
    });
  }
}

async function generationIn(db: Queryable): Promise<number> {
  return Number(await readState(db, STATE_KEY));
}
