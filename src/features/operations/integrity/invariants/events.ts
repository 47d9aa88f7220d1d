import { byQuery, type Invariant } from './invariant';

/** Invariants of the event log and its readers. */
export const eventInvariants: readonly Invariant[] = [
  {
    name: 'event-numbers',
    about: 'Events have numbers that were given, and no client is ahead of them.',
    find: async (db) => {
      const last =
        db.engine === 'sqlite'
          ? `(SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'event_log')`
          : `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM event_log_number_seq)`;
      const ahead = await db.query<{ what: string; number: number }>(
        `SELECT 'The event log' AS what, number FROM event_log WHERE number > ${last}
         UNION ALL SELECT 'The queue of account ' || user_id, start_number FROM event_queue
           WHERE start_number > ${last}`,
      );
      return ahead.map(({ what, number }) => `${what} is at ${number}, which was not given yet.`);
    },
  },
  byQuery<{ number: number }>(
    'event-audiences',
    'Every event says whom it is for.',
    `SELECT e.number FROM event_log e LEFT JOIN audience a ON a.id = e.audience_id
     WHERE (e.audience IS NULL) = (e.audience_id IS NULL) OR (e.audience_id IS NOT NULL AND a.id IS NULL)`,
    (row) => `Event ${row.number} does not.`,
  ),
  byQuery<{ found: number }>(
    'directory-version',
    'The version of what is kept in memory is there.',
    'SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM directory_version WHERE id = 1)',
    () => 'It is missing.',
  ),
  byQuery<{ key: string }>(
    'server-state',
    'The database has a name, and remembers which secret it belongs to.',
    `SELECT k.key FROM (SELECT 'installation' AS key UNION ALL SELECT 'secret_fingerprint') k
     WHERE NOT EXISTS (SELECT 1 FROM server_state s WHERE s.key = k.key AND s.value <> '')`,
    (row) => `${row.key} is missing.`,
  ),
];
