import { again, startPostgres, type Scenarios } from '../scenario';

/** What befalls nodes. */
export const NODE_FAULTS: Scenarios = {
  'kill-sqlite': {
    about: 'the server is killed again and again while people write, on SQLite',
    needs: [],
    isQuick: true,
    mayBreakOff: true,
    prepare: async (installation) => ({
      site: await installation.start(1, {}),
      befall: (seconds) => again(seconds, () => installation.kill(0)),
    }),
  },
  'kill-postgres': {
    about: 'one of two nodes is killed again and again while people write, on PostgreSQL',
    needs: ['PostgreSQL'],
    isQuick: true,
    mayBreakOff: true,
    prepare: async (installation) => ({
      site: await installation.start(2, { DATABASE_URL: (await startPostgres(installation)).url() }),
      befall: (seconds) => again(seconds, () => installation.kill(Math.random() < 0.5 ? 0 : 1)),
    }),
  },
  'pause-node': {
    about: 'one of three nodes stands still for seconds, in turns',
    needs: ['PostgreSQL'],
    prepare: async (installation) => {
      const site = await installation.start(3, { DATABASE_URL: (await startPostgres(installation)).url() });
      let turn = 0;
      return {
        site,
        befall: (seconds) => again(seconds, () => installation.hold(turn++ % 3, 2_000)),
      };
    },
  },
};
