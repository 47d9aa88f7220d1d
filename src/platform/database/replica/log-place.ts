/** A place in the write-ahead log of PostgreSQL. A replica that has come to it has everything that was committed before. */
export interface LogPlace {
  /** Rises with each failover. Places on one that was left say nothing about another. */
  readonly timeline: number;
  /** Bytes from the beginning of the log. */
  readonly at: number;
}

/** How far a server follows, as it says itself. */
export interface Following {
  /** As {@link DATABASE} gives it. */
  readonly database: string;
  readonly timeline: number;
  /** Null if it is not replicating. */
  readonly at: number | null;
}

/** Which database of which installation of PostgreSQL; it is the same one on all replicas. */
export const DATABASE = `
  SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database
  FROM pg_control_system()`;

/**
 * The primary's position in its log. Commits become visible only after they are flushed, so the flush position is
 * enough, unless `synchronous_commit` is off.
 */
export const PRIMARY_PLACE = `
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
export const FOLLOWING = `
  SELECT databases.database, recovery.min_recovery_end_timeline AS timeline, ${AT}
  FROM (${DATABASE}) databases, pg_control_recovery() recovery`;

/** The same where the rest is known: a server keeps its database, and its timeline only rises. */
export const FOLLOWING_TO = `SELECT ${AT}`;

/** Whether a server has come to a place. */
export function holds({ timeline, at }: Following, wanted: LogPlace): boolean {
  return timeline === wanted.timeline && at !== null && at >= wanted.at;
}
