import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { answerWithin } from '../../clock';
import { StartRefused } from '../../config/start-refused';
import { PeriodicTask } from '../../lifecycle/periodic-task';
import { Rounds } from '../../rounds';
import { driverCode } from '../database.errors';
import { isExhausted } from '../postgres/postgres-client';
import { pg } from '../postgres/postgres-hosts';
import type { SendStatement } from '../query-runner';

/** A position in PostgreSQL's write-ahead log. A replica that has reached it contains everything committed before. */
interface LogPlace {
  /** Increases with each failover. Positions on different timelines cannot be compared. */
  readonly timeline: number;
  /** Bytes from the start of the log. */
  readonly at: number;
}

/** A server's replication position, as it reports it. */
interface Following {
  /** Identity from {@link DATABASE}. */
  readonly database: string;
  readonly timeline: number;
  /** Null if it is not replicating. */
  readonly at: number | null;
}

/** Identifies the database and its PostgreSQL installation; equal on all replicas. */
const DATABASE = `
  SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database
  FROM pg_control_system()`;

/**
 * The primary's position in its log. Commits become visible only after they are flushed, so the flush position is
 * enough, unless `synchronous_commit` is off.
 */
const PRIMARY_PLACE = `
  SELECT ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer AS timeline, lsn - '0/0' AS at
  FROM (
    SELECT CASE current_setting('synchronous_commit')
      WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn OFFSET 0
  ) log`;

const AT = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' END AS at`;

/**
 * A server's replication position. The timeline is that of its last restart point, minutes old at worst: after a
 * failover a replica seems to be on the previous one for that long. It must not be compared with a former primary then,
 * which must be stopped before another takes over.
 */
const FOLLOWING = `
  SELECT databases.database, recovery.min_recovery_end_timeline AS timeline, ${AT}
  FROM (${DATABASE}) databases, pg_control_recovery() recovery`;

/** The position alone, once the rest is known: a server keeps its database, and its timeline only increases. */
const FOLLOWING_TO = `SELECT ${AT}`;

/** Whether a server has reached a position. */
function holds({ timeline, at }: Following, wanted: LogPlace): boolean {
  return timeline === wanted.timeline && at !== null && at >= wanted.at;
}

/** How long a read waits for the replica to catch up with the primary. Most replicas need a few milliseconds. */
const PATIENCE_MS = 250;

/** Delay between checks of the replica's position. */
const LOOK_AGAIN_MS = 2;

/** How often to check that the replica still is one, and whether an abandoned one can be used again. */
const LOOK_EVERY_MS = 1_000;

/** Code of a statement that timed out. */
const QUERY_CANCELED = '57014';

/** A replica cancels reads that block replication. */
const CONFLICTS: readonly (string | undefined)[] = ['40001', '40P01'];

/** The replica cannot be used at present. */
class ReplicaBehind extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ReplicaBehind';
  }
}

/** The configured replica replicates something else. */
class WrongReplica extends StartRefused {
  constructor() {
    super('DATABASE_REPLICA_URL is not a replica of the database in DATABASE_URL.');
  }
}

/** Connection pools of a replica. */
export interface ReplicaPools {
  /** One extra connection to check the replica's position, even if all others are busy. */
  readonly look: Pool;
  readonly read: Pool;
}

/**
 * Moves reads off the primary without stale answers: no user sees content they have lost access to, or misses content
 * they have already seen. Each read first gets the primary's log position, and uses the replica once it has reached it.
 * If it does not in time, or is unreachable, the primary is read.
 */
export class Replica {
  private readonly logger = new Logger('Replica');
  private readonly task = new PeriodicTask('Replica', () => this.checkAgain());
  private readonly primaryPlaces = new Rounds(() => this.readPrimaryPosition());
  private readonly followings = new Rounds(() => this.readReplicaState());
  /** Facts about the server behind each connection, none of which is ever reverted. */
  private readonly known = new WeakMap<PoolClient, Following>();
  /** The replica's position at the last check. */
  private latest: Following | undefined;
  /** Why only the primary is used; null while the replica is in use. */
  private trouble: Error | null = null;
  private database: string | undefined;
  private timeline: number | undefined;

  private constructor(
    private readonly primary: Pool,
    private readonly pools: ReplicaPools,
  ) {}

  /**
   * Starts using a replica as soon as possible.
   * @param primary reads on the primary
   * @throws {StartRefused} if it replicates another database
   * @throws PostgreSQL's error if the primary does not report its log position
   */
  static async open(primary: Pool, pools: ReplicaPools): Promise<Replica> {
    // An idle client has no listener, and an unhandled error would end the process.
    for (const pool of [pools.look, pools.read]) pool.on('error', () => undefined);
    const replica = new Replica(primary, pools);
    try {
      await replica.primaryPlaces.join();
      await replica.followings.join().catch((error: Error) => {
        if (error instanceof WrongReplica) throw error;
        replica.note(error);
      });
    } catch (error) {
      await replica.close();
      throw error;
    }
    replica.task.start(LOOK_EVERY_MS);
    return replica;
  }

  async close(): Promise<void> {
    await this.task.stop();
    await Promise.all([this.pools.look.end(), this.pools.read.end()]);
  }

  /** The end of the primary's log, once the replica has reached it; null if the primary must be used. */
  async caughtUp(): Promise<LogPlace | null> {
    return this.trouble ? null : this.place();
  }

  /**
   * Sends the statements of one request to the replica.
   * @param wanted from {@link caughtUp}
   * @param otherwise sends to the primary the first statement that the replica does not answer, and all later ones, so
   *   that rows never go back in time
   */
  statements(wanted: LogPlace, otherwise: SendStatement): SendStatement {
    let isLeft = false;
    return async (text, values) => {
      if (!isLeft && !this.trouble) {
        const rows = await this.ask(wanted, text, values).catch((error: Error) => this.leave(error));
        if (rows) return rows;
      }
      isLeft = true;
      return otherwise(text, values);
    };
  }

  /** @throws the error if the primary would take as long */
  private leave(error: Error): null {
    if (!isExhausted(error) && !CONFLICTS.includes(driverCode(error))) this.note(error);
    if (driverCode(error) === QUERY_CANCELED) throw error;
    return null;
  }

  /** @returns null if the connection leads to a server that has not caught up */
  private ask(wanted: LogPlace, text: string, values: unknown[]): Promise<object[] | null> {
    return withClient(this.pools.read, async (client) => {
      const known = this.known.get(client);
      if (known && holds(known, wanted)) return (await client.query<object>(text, values)).rows;
      // The position came from another connection, and this one may lead to a restarted server, so its own position is
      // checked.
      const [following, answer] = await Promise.allSettled([
        this.followingOf(client),
        client.query<object>(text, values),
      ]);
      if (following.status === 'rejected') throw following.reason;
      if (!holds(following.value, wanted)) return null;
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value.rows;
    });
  }

  private async place(): Promise<LogPlace | null> {
    // The next reader on the primary gets the error; the replica is not at fault.
    const wanted = await this.primaryPlaces.join().catch(() => null);
    if (!wanted) return null;
    try {
      await answerWithin(PATIENCE_MS, this.reaches(wanted), () => new ReplicaBehind('it does not respond'));
      this.note(null);
      return wanted;
    } catch (error) {
      this.note(error as Error);
      return null;
    }
  }

  private async reaches(wanted: LogPlace): Promise<void> {
    if (this.latest && holds(this.latest, wanted)) return;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const following = await this.followings.join();
      if (holds(following, wanted)) return;
      if (following.at === null) throw new ReplicaBehind('it is currently not a replica');
      if (performance.now() > end || following.timeline !== wanted.timeline)
        throw new ReplicaBehind('it lags behind the primary');
      await pause(LOOK_AGAIN_MS);
    }
  }

  private async readPrimaryPosition(): Promise<LogPlace> {
    this.database ??= (await this.primary.query<Following>(DATABASE)).rows[0]?.database;
    const { rows } = await this.primary.query<LogPlace>(PRIMARY_PLACE);
    const [place] = rows as [LogPlace];
    this.timeline = place.timeline;
    return place;
  }

  private async readReplicaState(): Promise<Following> {
    this.latest = await withClient(this.pools.look, (client) => this.followingOf(client));
    return this.latest;
  }

  private async followingOf(client: PoolClient): Promise<Following> {
    const known = this.known.get(client);
    const query = known?.timeline === this.timeline ? FOLLOWING_TO : FOLLOWING;
    const { rows } = await client.query<Following>(query);
    const following = { ...known, ...(rows[0] as Following) };
    if (following.database !== this.database) throw new WrongReplica();
    this.known.set(client, following);
    return following;
  }

  private note(trouble: Error | null): void {
    if (trouble) this.latest = undefined;
    if (trouble && !this.trouble)
      this.logger.warn(`Reading from the primary only: ${trouble.message || driverCode(trouble)}`);
    if (!trouble && this.trouble) this.logger.log('Reading from the replica again.');
    this.trouble = trouble;
  }

  /** Even if all is well: a server promoted to primary must no longer be used, although it has every row. */
  private async checkAgain(): Promise<void> {
    if (this.task.isStopping) return;
    this.latest = undefined;
    await this.place();
  }
}

/** Lends a connection to some work, and closes it if the work found it broken. */
async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(!isFromServer(error));
    throw error;
  }
}

function isFromServer(error: unknown): boolean {
  return error instanceof pg().DatabaseError;
}
