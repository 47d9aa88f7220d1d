import { setTimeout as pause } from 'node:timers/promises';
import { Answers, Caller, type Site } from '../caller';
import { again, startPostgres, type Scenarios } from '../scenario';

const HISTORY = '/messages?anchor=newest&num_before=5&num_after=0';

/** Reads history from each node in turns: what one has seen is never gone with the next. */
class HistoryReader {
  readonly complaints = new Set<string>();
  reads = 0;
  private newest = 0;
  private readonly caller: Caller;
  private readonly answers: Answers;

  constructor(site: Site) {
    this.caller = new Caller(site);
    this.answers = new Answers(site);
  }

  async readUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const outcome = await this.caller.call(HISTORY);
      if (!this.answers.note(outcome)) {
        this.complaints.add(`History was refused: ${outcome.status ?? outcome.failure}.`);
        continue;
      }
      const { messages } = outcome.body as { messages: readonly { id: number }[] };
      const newest = messages.at(-1)?.id ?? 0;
      if (newest < this.newest) this.complaints.add('What was read is gone from history.');
      this.newest = Math.max(newest, this.newest);
      this.reads++;
    }
  }
}

/** What befalls a replica that history is read from. */
export const REPLICA_FAULTS: Scenarios = {
  'read-replica': {
    about: 'the replica that history is read from stops following, stands still and crashes',
    needs: ['PostgreSQL'],
    isQuick: true,
    prepare: async (installation) => {
      const primary = await startPostgres(installation);
      const standby = await primary.standby(installation.folder, primary.port);
      installation.atEnd(() => standby.crash());
      const site = await installation.start(2, {
        DATABASE_URL: primary.url(),
        DATABASE_REPLICA_URL: standby.url(),
      });
      const faults = [
        async () => {
          await standby.query('SELECT pg_wal_replay_pause()');
          await pause(500);
          await standby.query('SELECT pg_wal_replay_resume()');
        },
        async () => {
          standby.freeze();
          await pause(500);
          standby.thaw();
        },
        async () => {
          await standby.crash();
          await standby.start();
        },
      ];
      const reader = new HistoryReader(site);
      return {
        site,
        befall: async (seconds) => {
          let isOver = false;
          const reading = reader.readUntil(() => isOver);
          let turn = 0;
          await again(seconds, async () => faults[turn++ % faults.length]?.());
          isOver = true;
          await reading;
        },
        examine: () => Promise.resolve([...reader.complaints]),
        notes: () => [`${reader.reads} times history was read.`],
      };
    },
  },
};
