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

/** A place in the write-ahead log of PostgreSQL. A replica that has come to it has everything that was committed before. */
interface LogPlace {
  /** Rises with each failover. Places on one that was left say nothing about another. */
  readonly timeline: number;
  /** Bytes from the beginning of the log. */
  readonly at: number;
}

/** How far a server follows, as it says itself. */
interface Following {
  /** As {@link DATABASE} gives it. */
  readonly database: string;
  readonly timeline: number;
  /** Null if it is not replicating. */
  readonly at: number | null;
}

/** Which database of which installation of PostgreSQL; it is the same one on all replicas. */
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
 * How far a server follows. The timeline is that of its last restart point, minutes old at worst: after a failover a replica
 * seems to be on the one before for so long. It must not be compared with a former primary then, which has to be stopped before
 * another one takes its place.
 */
const FOLLOWING = `
  SELECT databases.database, recovery.min_recovery_end_timeline AS timeline, ${AT}
  FROM (${DATABASE}) databases, pg_control_recovery() recovery`;

/** The same where the rest is known: a server keeps its database, and its timeline only rises. */
const FOLLOWING_TO = `SELECT ${AT}`;

/** Whether a server has come to a place. */
function holds({ timeline, at }: Following, wanted: LogPlace): boolean {
  return timeline === wanted.timeline && at !== null && at >= wanted.at;
}

/** How long a read waits for the replica to come to where the primary is. Most replicas need a few milliseconds. */
const PATIENCE_MS = 250;

/** How long to wait before looking again where the replica is. */
const LOOK_AGAIN_MS = 2;

/** How often to look whether the replica is still one, and whether one that was given up can be used again. */
const LOOK_EVERY_MS = 1_000;

/** A statement that took too long. */
const QUERY_CANCELED = '57014';

/** A replica breaks off reads that stand in the way of what it has to do to follow. */
const CONFLICTS: readonly (string | undefined)[] = ['40001', '40P01'];

/** The replica cannot be read from at present. */
class ReplicaBehind extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ReplicaBehind';
  }
}

/** What is called a replica is one of something else. */
class WrongReplica extends StartRefused {
  constructor() {
    super('DATABASE_REPLICA_URL is not a replica of the database in DATABASE_URL.');
  }
}

/** Connections to a replica. */
export interface ReplicaPools {
  /** One extra connection to check the replica's position, even if all others are busy. */
  readonly look: Pool;
  readonly read: Pool;
}

/**
 * Takes reads off the primary without stale answers: no user sees what they may no longer see, or misses what they
 * already know. Each read first gets the primary's log position, and uses the replica once it has reached it. If it
 * does not in time, or is unreachable, the primary is read.
 */
export class Replica {
  private readonly logger = new Logger('Replica');
  private readonly task = new PeriodicTask('Replica', () => this.lookAgain());
  private readonly primaryPlaces = new Rounds(() => this.lookAtPrimary());
  private readonly followings = new Rounds(() => this.lookAtReplica());
  /** What is known of the server behind each connection: nothing of it goes back. */
  private readonly known = new WeakMap<PoolClient, Following>();
  /** How far the replica was when it was looked at last. */
  private latest: Following | undefined;
  /** Why the primary alone is read from; null while the replica is. */
  private trouble: Error | null = null;
  private database: string | undefined;
  private timeline: number | undefined;

  private constructor(
    private readonly primary: Pool,
    private readonly pools: ReplicaPools,
  ) {}

  /**
   * Begins to use a replica, as soon as it can be used.
   * @param primary reads on the primary
   * @throws {StartRefused} where it is one of another database
   * @throws what PostgreSQL says where the primary does not tell how far its log goes
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

  /** Where the log of the primary ends, once the replica is there too; null where the primary has to be read from. */
  async caughtUp(): Promise<LogPlace | null> {
    return this.trouble ? null : this.place();
  }

  /**
   * Sends the statements of one request to the replica.
   * @param wanted what {@link caughtUp} gave
   * @param otherwise sends to the primary what the replica does not answer, and all that comes after it: never show what
   *   is newer first
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

  /** @throws the error where the primary would take as long */
  private leave(error: Error): null {
    if (!isExhausted(error) && !CONFLICTS.includes(driverCode(error))) this.note(error);
    if (driverCode(error) === QUERY_CANCELED) throw error;
    return null;
  }

  /** @returns null where the connection turns out to lead to a server that is not that far */
  private ask(wanted: LogPlace, text: string, values: unknown[]): Promise<object[] | null> {
    return withClient(this.pools.read, async (client) => {
      const known = this.known.get(client);
      if (known && holds(known, wanted)) return (await client.query<object>(text, values)).rows;
      // It was so on another connection, and this one may lead to a server that was started anew since: it says so itself.
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
    // Who reads from the primary next hears what is wrong with it; nothing is wrong with the replica.
    const wanted = await this.primaryPlaces.join().catch(() => null);
    if (!wanted) return null;
    try {
      await answerWithin(PATIENCE_MS, this.comesTo(wanted), () => new ReplicaBehind('it does not respond'));
      this.note(null);
      return wanted;
    } catch (error) {
      this.note(error as Error);
      return null;
    }
  }

  private async comesTo(wanted: LogPlace): Promise<void> {
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

  private async lookAtPrimary(): Promise<LogPlace> {
    this.database ??= (await this.primary.query<Following>(DATABASE)).rows[0]?.database;
    const { rows } = await this.primary.query<LogPlace>(PRIMARY_PLACE);
    const [place] = rows as [LogPlace];
    this.timeline = place.timeline;
    return place;
  }

  private async lookAtReplica(): Promise<Following> {
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

  /** Also where all is well: a server that became a primary is no longer to be read from, though it has everything. */
  private async lookAgain(): Promise<void> {
    if (this.task.isStopping) return;
    this.latest = undefined;
    await this.place();
  }
}

/** Lends a connection to some work, and closes it where the work found it broken. */
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
