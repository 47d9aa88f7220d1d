import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresCluster } from '../../support/postgres-cluster';
import type { Installation } from '../installation';
import { startPostgres, type Scenarios } from '../scenario';

/** Has one in five transactions linger, some before others that began later get their numbers, some as they commit. */
const LINGER = [
  `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF random() < 0.2 THEN PERFORM pg_sleep(random()); END IF; RETURN NEW; END $$`,
  'CREATE TRIGGER linger BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION linger()',
  `CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON event_log DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION linger()`,
];

/** Locks no table: to drop the triggers would wait for transactions that may wait for it. */
const HURRY =
  'CREATE OR REPLACE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$';

/** What befalls the order in which PostgreSQL commits. */
export const COMMIT_FAULTS: Scenarios = {
  'overlapping-commits': {
    about: 'PostgreSQL holds transactions open while others begin and commit',
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const postgres = await startPostgres(installation);
      const site = await installation.start(2, { DATABASE_URL: postgres.url() });
      const client = await connect(installation, postgres);
      const idler = await connect(installation, postgres);
      return {
        site,
        befall: async (seconds) => {
          for (const statement of LINGER) await client.query(statement);
          // A transaction of somebody else that goes on all the time is older than any of these.
          await idler.query('BEGIN');
          await idler.query('SELECT pg_current_xact_id()');
          await pause(seconds * 1000);
          await client.query(HURRY);
          await idler.query('ROLLBACK');
        },
      };
    },
  },
};

async function connect(installation: Installation, postgres: PostgresCluster): Promise<Client> {
  const client = new Client({ connectionString: postgres.url() });
  await client.connect();
  installation.atEnd(() => client.end());
  return client;
}
