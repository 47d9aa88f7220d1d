import { setTimeout as pause } from 'node:timers/promises';
import { Line } from '../../support/line';
import type { PostgresCluster } from '../../support/postgres-cluster';
import { startPostgres, type Scenario, type Scenarios } from '../scenario';

/** Two nodes on a primary with a replica, which takes its place. */
function failover(isSynchronous: boolean): Scenario {
  return {
    about: `the primary crashes, and its ${isSynchronous ? 'synchronous' : 'asynchronous, late'} replica takes over`,
    needs: ['PostgreSQL'],
    isQuick: true,
    mayEndQueues: !isSynchronous,
    prepare: async (installation) => {
      // From its first commit on, so that none is acknowledged that the replica does not have.
      const primary = await startPostgres(
        installation,
        isSynchronous ? ['synchronous_standby_names=standby'] : [],
      );
      const line = await Line.open(primary.url(), 5432);
      installation.atEnd(() => line.close());
      const standby = await primary.standby(installation.folder, new URL(line.url).port);
      installation.atEnd(() => standby.crash());
      const both = primary.url().replace(primary.port, `${primary.port},127.0.0.1:${standby.port}`);
      const site = await installation.start(2, { DATABASE_URL: both });
      let [sinceMs, untilMs] = [Infinity, -Infinity];
      return {
        site,
        loss: () => ({ sinceMs, untilMs }),
        befall: async (seconds) => {
          await pause((seconds * 1000) / 3);
          if (!isSynchronous) {
            // What was acknowledged before now reaches it, and what is a little later does not.
            sinceMs = performance.now();
            await isSentToReplica(primary);
            line.stall();
            await pause(1_500);
          }
          await primary.crash();
          untilMs = performance.now();
          line.cut();
          await standby.promote();
        },
      };
    },
  };
}

/** A hundred of them take a second at least. */
const MAX_LOOKS = 6_000;

/** Returns once the replica has what was committed before. */
async function isSentToReplica(primary: PostgresCluster): Promise<void> {
  const [written] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn() AS lsn');
  const arrived = `SELECT 1 FROM pg_stat_replication WHERE flush_lsn >= '${written?.lsn}'`;
  for (let times = 0; (await primary.query(arrived)).length === 0; times++) {
    if (times > MAX_LOOKS) throw new Error('The replica does not get what the primary writes.');
    await pause(10);
  }
}

/** What befalls PostgreSQL where it has a replica. */
export const FAILOVERS: Scenarios = {
  'failover-synchronous': failover(true),
  'failover-asynchronous': failover(false),
};
