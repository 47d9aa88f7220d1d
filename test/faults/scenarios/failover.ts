import { setTimeout as pause } from 'node:timers/promises';
import { Line } from '../../support/line';
import { startPostgres, type Scenario, type Scenarios } from '../scenario';

/** Two nodes on a primary with a replica, which takes its place. */
function failover(isSynchronous: boolean): Scenario {
  return {
    about: `the primary crashes, and its ${isSynchronous ? 'synchronous' : 'asynchronous, late'} replica takes over`,
    needs: ['PostgreSQL'],
    isQuick: true,
    mayLose: !isSynchronous,
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
      return {
        site,
        befall: async (seconds) => {
          await pause((seconds * 1000) / 3);
          if (!isSynchronous) {
            // What is acknowledged from now on does not reach it.
            line.stall();
            await pause(1_500);
          }
          await primary.crash();
          line.cut();
          await standby.promote();
        },
      };
    },
  };
}

/** What befalls PostgreSQL where it has a replica. */
export const FAILOVERS: Scenarios = {
  'failover-synchronous': failover(true),
  'failover-asynchronous': failover(false),
};
