import { setTimeout as pause } from 'node:timers/promises';
import { Line } from '../support/line';
import type { Installation } from './installation';
import { PostgresCluster } from './postgres-cluster';
import type { Site } from './load';
import type { Demands } from './verdict';

/** A fault, and what has to hold all the same. */
export interface Scenario extends Demands {
  readonly about: string;
  readonly needs: 'nothing' | 'postgres';
  /**
   * Starts what is to be tried.
   * @returns where clients go, and what befalls it; the second ends when the fault is over
   */
  prepare(installation: Installation): Promise<{ site: Site; befall: (seconds: number) => Promise<void> }>;
}

async function cluster(
  installation: Installation,
  settings: readonly string[] = [],
): Promise<PostgresCluster> {
  const postgres = await PostgresCluster.start(installation.folder, settings);
  installation.atEnd(() => postgres.crash());
  return postgres;
}

/** Does something again and again until the time is over, at random moments. */
async function again(seconds: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await pause(200 + Math.random() * 1_500);
    await work();
  }
}

/** One node, on PostgreSQL by way of a line. */
async function behindLine(installation: Installation) {
  const postgres = await cluster(installation);
  const line = await Line.open(postgres.url(), 5432);
  installation.atEnd(() => line.close());
  return { line, site: await installation.start(1, { DATABASE_URL: line.through(postgres.url()) }) };
}

/** Two nodes on a primary with a replica, which takes its place. */
function failover(isSynchronous: boolean): Scenario {
  return {
    about: `the primary crashes, and its ${isSynchronous ? 'synchronous' : 'asynchronous, late'} replica takes over`,
    needs: 'postgres',
    mayLose: !isSynchronous,
    mayEndQueues: !isSynchronous,
    prepare: async (installation) => {
      // From its first commit on, so that none is acknowledged that the replica does not have.
      const primary = await cluster(installation, isSynchronous ? ['synchronous_standby_names=standby'] : []);
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

/** Every fault that can be tried, by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'kill-sqlite': {
    about: 'the server is killed again and again while people write, on SQLite',
    needs: 'nothing',
    prepare: async (installation) => ({
      site: await installation.start(1, {}),
      befall: (seconds) => again(seconds, () => installation.kill(0)),
    }),
  },
  'kill-postgres': {
    about: 'one of two nodes is killed again and again while people write, on PostgreSQL',
    needs: 'postgres',
    prepare: async (installation) => ({
      site: await installation.start(2, { DATABASE_URL: (await cluster(installation)).url() }),
      befall: (seconds) => again(seconds, () => installation.kill(Math.random() < 0.5 ? 0 : 1)),
    }),
  },
  'pause-node': {
    about: 'one of three nodes stands still for seconds, in turns',
    needs: 'postgres',
    prepare: async (installation) => {
      const site = await installation.start(3, { DATABASE_URL: (await cluster(installation)).url() });
      let turn = 0;
      return {
        site,
        befall: (seconds) =>
          again(seconds, async () => {
            const node = installation.nodes[turn++ % 3]?.process;
            if (node) process.kill(node.pid, 'SIGSTOP');
            await pause(2_000);
            if (node) process.kill(node.pid, 'SIGCONT');
          }),
      };
    },
  },
  'restart-database': {
    about: 'PostgreSQL is restarted, and crashes',
    needs: 'postgres',
    prepare: async (installation) => {
      const postgres = await cluster(installation);
      const site = await installation.start(2, { DATABASE_URL: postgres.url() });
      return {
        site,
        befall: async (seconds) => {
          await pause((seconds * 1000) / 4);
          await postgres.restart();
          await pause((seconds * 1000) / 4);
          await postgres.crash();
          await pause((seconds * 1000) / 4);
          await postgres.start();
        },
      };
    },
  },
  'freeze-database': {
    about: 'PostgreSQL stands still (SIGSTOP)',
    needs: 'postgres',
    prepare: async (installation) => {
      const postgres = await cluster(installation);
      const site = await installation.start(2, { DATABASE_URL: postgres.url() });
      return {
        site,
        befall: async (seconds) => {
          await pause(1_000);
          postgres.freeze();
          await pause(seconds * 1000);
          postgres.thaw();
        },
      };
    },
  },
  'cut-line': {
    about: 'PostgreSQL cannot be reached',
    needs: 'postgres',
    prepare: async (installation) => {
      const { line, site } = await behindLine(installation);
      return {
        site,
        befall: async (seconds) => {
          await pause(1_000);
          line.cut();
          await pause(seconds * 1000);
          line.mend();
        },
      };
    },
  },
  'silent-line': {
    about: 'nothing comes through to PostgreSQL any more, and nobody closes the connections',
    needs: 'postgres',
    prepare: async (installation) => {
      const { line, site } = await behindLine(installation);
      return {
        site,
        befall: async (seconds) => {
          await pause(1_000);
          line.stall();
          await pause(seconds * 1000);
          // New connections work again; those that there were lead nowhere.
          line.forget();
          line.mend();
        },
      };
    },
  },
  'failover-synchronous': failover(true),
  'failover-asynchronous': failover(false),
};
