import type { Installation } from '../installation';
import { again, startPostgres, type Scenarios, type Trial } from '../scenario';
import { ShiftedTime } from '../shifted-time';
import { stored } from '../stored';
import { comeBack, VanishedPoll } from '../vanished-poll';

const HOUR_MS = 3_600_000;
/** A queue may be idle for ten minutes. */
const LEAST_HOURS = 1;
const MOST_HOURS = 12;

/** Clients of which every second waits when the fault begins; the others do not come before it is over. */
const AWAY = 10;

async function prepare(installation: Installation, nodes: number, url?: string): Promise<Trial> {
  const time = new ShiftedTime(installation.folder);
  const site = await installation.start(nodes, { ...time.environment, ...(url && { DATABASE_URL: url }) });
  const away = Array.from({ length: AWAY }, (_, n) => new VanishedPoll(site, n % 4 < 2));
  installation.atEnd(() => away.forEach((client) => client.end()));
  for (const [n, client] of away.entries()) {
    await client.register();
    if (n % 2 === 0) await client.begin();
  }
  const jumps: number[] = [];
  return {
    site,
    befall: async (seconds) => {
      await again(seconds, async () => {
        const hours = LEAST_HOURS + Math.random() * (MOST_HOURS - LEAST_HOURS);
        const isForward = jumps.length % 2 === 0;
        jumps.push(isForward ? hours : -hours);
        time.shiftBy(Math.round((jumps.at(-1) ?? 0) * HOUR_MS));
      });
      time.shiftBy(0);
    },
    examine: async () => {
      const complaints = await comeBack(away);
      const times = (await stored(site)).map(({ timestamp }) => timestamp);
      const hours = ((Math.max(...times) - Math.min(...times)) * 1_000) / HOUR_MS;
      if (hours < LEAST_HOURS) complaints.push('The server did not see the clock jump.');
      return complaints;
    },
    notes: () => [
      `${jumps.length} jumps, to between ${Math.min(...jumps).toFixed(1)} and +${Math.max(...jumps).toFixed(1)} hours.`,
    ],
  };
}

const JUMPS = 'the time of day is put forward and back by hours, again and again';

/** What befalls the clocks of nodes. By hand only: queues are swept once a minute, events every ten. */
export const CLOCK_FAULTS: Scenarios = {
  'clock-jumps-sqlite': {
    about: `${JUMPS}, on SQLite`,
    needs: [],
    prepare: (installation) => prepare(installation, 1),
  },
  'clock-jumps-postgres': {
    about: `${JUMPS}, with two nodes on PostgreSQL, whose own clock stays as it is`,
    needs: ['PostgreSQL'],
    prepare: async (installation) => prepare(installation, 2, (await startPostgres(installation)).url()),
  },
};
