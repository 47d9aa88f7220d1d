import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.service';
import { ReplicaReader } from '../../src/platform/database/replica-reader';
import { Metrics } from '../../src/platform/metrics/metrics';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { Line } from '../support/line';
import { fetchIds, sendTo } from '../support/message-setup';
import { giveToPostgres, PostgresCluster, postgresPrograms } from '../support/postgres-cluster';
import { TestApp } from '../support/test-app';
import { createTestDatabase, hasPostgres } from '../support/test-database';

const canTry = hasPostgres && postgresPrograms() !== null;
if (!canTry)
  test.todo('a replica: TEST_DATABASE_URL names no server, or the programs of PostgreSQL are not here');

const search = (word: string) => [{ operator: 'search', operand: word }];

(canTry ? describe : describe.skip)('a replica', () => {
  let folder: string;
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  let line: Line;
  let app: TestApp;
  let channel: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-replica-'));
    giveToPostgres(folder);
    primary = await PostgresCluster.start(folder);
    standby = await primary.standby(folder, primary.port);
    line = await Line.open(standby.url(), 5432);
    app = await TestApp.start({
      engine: 'postgres',
      env: { DATABASE_URL: primary.url(), DATABASE_REPLICA_URL: line.url },
      withoutLaw: 'the replica is taken away',
    });
    const { olivia, mia, max } = app.cast;
    channel = await createChannel(app, olivia, 'secret', {
      invite_only: true,
      principals: [olivia.id, mia.id, max.id],
    });
  });

  afterAll(async () => {
    await app.stop();
    await line.close();
    await standby.crash();
    await primary.crash();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How many requests were answered from where while work went on. */
  async function readsDuring(work: () => Promise<void>): Promise<{ replica: number; primary: number }> {
    const counted = async () => {
      const samples = await app.get(Metrics).read('parley_replica_reads_total');
      const from = (name: string) => samples.find(({ labels }) => labels['from'] === name)?.value ?? 0;
      return { replica: from('replica'), primary: from('primary') };
    };
    const before = await counted();
    await work();
    const after = await counted();
    return { replica: after.replica - before.replica, primary: after.primary - before.primary };
  }

  async function isUsed(): Promise<void> {
    const { mia } = app.cast;
    while ((await readsDuring(async () => void (await fetchIds(app, mia, [])))).replica === 0)
      await moment(50);
  }

  const set = async (isSubscribed: boolean, node = app) => {
    const { olivia, max } = app.cast;
    const who = { principals: [max.id] };
    const client = node.as(olivia);
    expectSuccess(
      await (isSubscribed
        ? client.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], ...who })
        : client.delete('/users/me/subscriptions', { subscriptions: ['secret'], ...who })),
    );
  };

  it('answers with what was sent a moment before, in history and in searches', async () => {
    const { mia, max } = app.cast;
    await isUsed();
    const reads = await readsDuring(async () => {
      for (let round = 0; round < 50; round++) {
        const sent = await sendTo(app, mia, channel, `gooseberry number${round}`);
        expect(await fetchIds(app, max, [])).toContain(sent);
        expect(await fetchIds(app, max, search(`number${round}`))).toEqual([sent]);
      }
    });
    // Not always, on a machine that has too much to do.
    expect(reads.replica).toBeGreaterThan(0);
  });

  it('is read in fact: what is there and nowhere else is shown', async () => {
    const { mia } = app.cast;
    await sendTo(app, mia, channel, 'persimmon');
    await isUsed();
    const asked = await app.get(Database).replica?.queryable();
    const rows = await asked?.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    expect(rows).toEqual([{ standby: true }]);
  });

  it('shows nothing to somebody whom another node removed a moment before', async () => {
    const { mia, max } = app.cast;
    const other = await app.anotherNode({});
    await isUsed();
    try {
      const reads = await readsDuring(async () => {
        for (let round = 0; round < 20; round++) {
          await set(false, other);
          await sendTo(other, mia, channel, `quince${round}`);
          expect(await fetchIds(app, max, search(`quince${round}`))).toEqual([]);
          await set(true, other);
          const shown = await sendTo(other, mia, channel, `quince${round}`);
          expect(await fetchIds(app, max, search(`quince${round}`))).toEqual([shown]);
        }
      });
      expect(reads.replica).toBeGreaterThan(0);
    } finally {
      await other.stop();
    }
  });

  it('is not believed where what is allowed changed meanwhile', async () => {
    await isUsed();
    const given: (object | null)[] = [];
    await app.get(ReplicaReader).read(async (replica) => {
      given.push(replica);
      if (given.length === 1) await set(false);
    });
    expect(given).toEqual([expect.anything(), null]);
    await set(true);
  });

  it('is not gone back to by a request that had to turn to the primary', async () => {
    await isUsed();
    const db = await app.get(Database).replica?.queryable();
    const isStandby = async () => (await db?.query('SELECT pg_is_in_recovery() AS "isStandby"'))?.[0];
    expect(await isStandby()).toEqual({ isStandby: true });
    await standby.crash();
    expect(await isStandby()).toEqual({ isStandby: false });
    await standby.start();
    await isUsed();
    expect(await isStandby()).toEqual({ isStandby: false });
  });

  it('is left alone while it does not follow, and used again once it has caught up', async () => {
    const { mia, max } = app.cast;
    await isUsed();
    await standby.query('SELECT pg_wal_replay_pause()');
    const reads = await readsDuring(async () => {
      const sent = await sendTo(app, mia, channel, 'medlar');
      expect(await fetchIds(app, max, search('medlar'))).toEqual([sent]);
      await set(false);
      await sendTo(app, mia, channel, 'medlar, and more');
      expect(await fetchIds(app, max, search('more'))).toEqual([]);
      await set(true);
    });
    expect(reads).toEqual({ replica: 0, primary: 2 });
    await standby.query('SELECT pg_wal_replay_resume()');
    await isUsed();
  });

  it('is left alone while its line says nothing, and used again afterwards', async () => {
    const { mia, max } = app.cast;
    await isUsed();
    line.stall();
    const sent = await sendTo(app, mia, channel, 'sloe');
    expect(await fetchIds(app, max, search('sloe'))).toEqual([sent]);
    line.mend();
    await isUsed();
  });

  it('is left alone while it is away, and used again afterwards', async () => {
    const { mia, max } = app.cast;
    await isUsed();
    const before = await sendTo(app, mia, channel, 'whitebeam');
    await isUsed();
    await standby.crash();
    // Also where nothing was written since it was as far as the primary.
    for (let times = 0; times < 3; times++)
      expect(await fetchIds(app, max, search('whitebeam'))).toEqual([before]);
    const sent = await sendTo(app, mia, channel, 'rowan');
    expect(await fetchIds(app, max, search('rowan'))).toEqual([sent]);
    expect(await fetchIds(app, max, [])).toContain(sent);
    await standby.start();
    await isUsed();
  });

  it('does not keep a node from starting when it is away', async () => {
    const closed = await Line.open(standby.url(), 5432);
    const { url } = closed;
    await closed.close();
    const other = await app.anotherNode({ DATABASE_REPLICA_URL: url });
    try {
      const sent = await sendTo(other, app.cast.mia, channel, 'bullace');
      expect(await fetchIds(other, app.cast.max, search('bullace'))).toEqual([sent]);
    } finally {
      await other.stop();
    }
  });

  it('keeps a node from starting when it is one of another database', async () => {
    await primary.query('CREATE DATABASE other');
    const isThere = "SELECT 1 FROM pg_database WHERE datname = 'other'";
    while ((await standby.query(isThere)).length === 0) await moment(20);
    const another = await createTestDatabase('postgres');
    try {
      for (const url of [standby.url('other'), another.env['DATABASE_URL']!]) {
        const start = app.anotherNode({ DATABASE_REPLICA_URL: url });
        await expect(start).rejects.toThrow(
          'DATABASE_REPLICA_URL is not a replica of the database in DATABASE_URL',
        );
      }
    } finally {
      await another.drop();
    }
  });

  it('is left alone once it has become a primary', async () => {
    const { mia, max } = app.cast;
    await isUsed();
    await standby.promote();
    // Also where nothing is written any more: it has everything, and may go its own way from now on.
    while ((await readsDuring(async () => void (await fetchIds(app, mia, [])))).replica > 0) await moment(50);
    const sent = await sendTo(app, mia, channel, 'damson');
    const reads = await readsDuring(async () => {
      expect(await fetchIds(app, max, search('damson'))).toEqual([sent]);
      expect(await fetchIds(app, max, [])).toContain(sent);
    });
    expect(reads).toEqual({ replica: 0, primary: 2 });
  });
});
