import { setTimeout as pause } from 'node:timers/promises';
import { Line } from '../../support/line';
import type { Installation } from '../installation';
import { lasting, startPostgres, type Scenarios } from '../scenario';

/** One node, on PostgreSQL by way of a line. */
async function behindLine(installation: Installation) {
  const postgres = await startPostgres(installation);
  const line = await Line.open(postgres.url(), 5432);
  installation.atEnd(() => line.close());
  return { line, site: await installation.start(1, { DATABASE_URL: line.through(postgres.url()) }) };
}

/** What befalls PostgreSQL, and the way to it. */
export const DATABASE_FAULTS: Scenarios = {
  'restart-database': {
    about: 'PostgreSQL is restarted, and crashes',
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const postgres = await startPostgres(installation);
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
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const postgres = await startPostgres(installation);
      const site = await installation.start(2, { DATABASE_URL: postgres.url() });
      return {
        site,
        befall: lasting(
          () => postgres.freeze(),
          () => postgres.thaw(),
        ),
      };
    },
  },
  'cut-line': {
    about: 'PostgreSQL cannot be reached',
    needs: ['PostgreSQL'],
    prepare: async (installation) => {
      const { line, site } = await behindLine(installation);
      return {
        site,
        befall: lasting(
          () => line.cut(),
          () => line.mend(),
        ),
      };
    },
  },
  'silent-line': {
    about: 'nothing comes through to PostgreSQL any more, and nobody closes the connections',
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const { line, site } = await behindLine(installation);
      const endSilence = () => {
        // New connections work again; those that there were lead nowhere.
        line.forget();
        line.mend();
      };
      return { site, befall: lasting(() => line.stall(), endSilence) };
    },
  },
};
