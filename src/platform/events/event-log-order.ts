/**
 * How events get numbers that no reader passes, on PostgreSQL (docs/decisions/0003-event-numbers.md).
 * A number is given before its transaction commits, so a lower one may become visible after a higher one.
 * Every writer therefore holds a shared lock from before its first number until its commit; writers do not
 * wait for each other. Whoever holds the lock alone knows that no number is under way: all that is visible
 * then is settled, and readers stop at the last settled number. SQLite has one writer and needs none of it.
 */
const LOG_LOCK = 7_275_272;

/** Comes before the first number of a transaction, as late as possible. */
export const JOIN_LOG = `SELECT pg_advisory_xact_lock_shared(${LOG_LOCK})`;

/**
 * Settles what is committed and keeps the lock until the COMMIT, which is up to the caller: what is visible
 * until then is all there is up to the newest number. To be sent in one go.
 */
export const SETTLE_LOG_AND_HOLD = [
  'BEGIN',
  // When a crash takes the last settled number away, the next round works it out anew.
  'SET LOCAL synchronous_commit = off',
  `SELECT pg_advisory_xact_lock(${LOG_LOCK})`,
  `UPDATE event_log_head SET number = newest.number
   FROM (SELECT MAX(number) AS number FROM event_log) AS newest
   WHERE newest.number > event_log_head.number`,
];

/** Settles what is committed; to be sent in one go. */
export const SETTLE_LOG = [...SETTLE_LOG_AND_HOLD, 'COMMIT'];

/** A row when something committed is not settled yet. */
export const IS_UNSETTLED =
  'SELECT 1 FROM event_log WHERE number > (SELECT number FROM event_log_head) LIMIT 1';
