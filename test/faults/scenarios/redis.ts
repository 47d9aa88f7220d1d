import { Line } from '../../support/line';
import type { Installation } from '../installation';
import { RedisServer } from '../redis-server';
import { lasting, startPostgres, type Clients, type Scenarios, type Trial } from '../scenario';

/**
 * Without Redis, nodes look for themselves every second. A client that does not wait for events is told of a message
 * within this time after its sender was, or something is wrong.
 */
const TOLD_WITHIN_MS = 10_000;

interface AwayRedis {
  away(redis: RedisServer, line: Line): unknown;
  back(redis: RedisServer, line: Line): unknown;
}

/** Three nodes that reach their Redis by a line. */
async function withRedis(installation: Installation, { away, back }: AwayRedis): Promise<Trial> {
  const redis = await RedisServer.start(installation.folder);
  installation.atEnd(() => redis.crash());
  const line = await Line.open(redis.url, 6379);
  installation.atEnd(() => line.close());
  const site = await installation.start(3, {
    DATABASE_URL: (await startPostgres(installation)).url(),
    REDIS_URL: line.url,
  });
  return {
    site,
    befall: lasting(
      () => away(redis, line),
      () => back(redis, line),
    ),
    examine: (clients) =>
      Promise.resolve([
        ...(delays(clients).some((ms) => ms > TOLD_WITHIN_MS) ? ['Clients were told too late.'] : []),
        ...(clients.writers.some(({ answers }) => answers.refused + answers.broken > 0)
          ? ['A message was refused, though only Redis was away.']
          : []),
      ]),
    notes: (clients) => {
      const sorted = delays(clients).sort((a, b) => a - b);
      const [middle, last] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      return [`Clients knew a message ${middle} ms after its sender, and ${last} ms at most.`];
    },
  };
}

/** How long after its sender each client heard of each message, in milliseconds. */
function delays({ writers, readers }: Clients): number[] {
  const sentAt = new Map(
    writers.flatMap(({ acknowledged }) => acknowledged.map(({ id, atMs }) => [id, atMs] as const)),
  );
  return readers.flatMap(({ told }) =>
    told.flatMap(({ id, atMs }) => {
      const since = sentAt.get(id);
      return since === undefined ? [] : [Math.max(0, Math.round(atMs - since))];
    }),
  );
}

/** What befalls Redis, without which nodes are slower to hear of each other and nothing else. */
export const REDIS_FAULTS: Scenarios = {
  'redis-away': {
    about: 'Redis crashes, and is started again',
    needs: ['PostgreSQL', 'Redis'],
    isQuick: true,
    prepare: (installation) =>
      withRedis(installation, { away: (redis) => redis.crash(), back: (redis) => redis.start() }),
  },
  'redis-silent': {
    about: 'nothing comes through to Redis any more, and nobody closes the connections',
    needs: ['PostgreSQL', 'Redis'],
    isQuick: true,
    prepare: (installation) =>
      withRedis(installation, {
        away: (_redis, line) => line.stall(),
        back: (_redis, line) => {
          // New connections work again; those that there were lead nowhere.
          line.forget();
          line.mend();
        },
      }),
  },
};
