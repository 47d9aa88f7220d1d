import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToPostgres, PostgresCluster } from '../test/support/postgres-cluster';
import { BenchDatabase } from './bench-database';
import { type Call, load, print, ROUNDS } from './comparison';
import { fillOrganization } from './fill';
import { hotCalls, makePattern } from './growth';
import { BenchOrganization } from './organization';
import type { ServerProcess } from './server-process';

/**
 * Measures the load that a replica takes off the primary, and its cost: the CPU time per request on the node, the
 * primary and the replica, for a node with a replica and one without. Creates primary and replica with the installed
 * PostgreSQL programs; everything runs on one machine. Run as `npm run bench -- --replica`.
 */
const PORTS = { alone: 9820, replicated: 9821 };
const SIZE = { people: 1_000, subscribers: 200, messages: 100_000 };
const REQUESTS = 300;
const READS = ['100 newest messages', 'search with 50 hits', 'search for a frequent word'];

/** Microseconds of CPU time per request. */
interface Cost {
  readonly node: number;
  readonly primary: number;
  readonly replica: number;
}

/** Prints a table. */
export async function measureReplica(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  chmodSync(folder, 0o755);
  giveToPostgres(folder);
  const primary = await PostgresCluster.start(folder);
  try {
    const standby = await primary.standby(folder, primary.port);
    await measureOn(primary, standby).finally(() => standby.crash());
  } finally {
    await primary.crash();
    rmSync(folder, { recursive: true });
  }
}

async function measureOn(primary: PostgresCluster, standby: PostgresCluster): Promise<void> {
  const database = await BenchDatabase.create(primary.url());
  const onStandby = database.on(standby.url());
  const organization = await BenchOrganization.inDatabase(database);
  await makePattern(organization);
  const filled = await organization.reach((db) => fillOrganization(db, SIZE));
  const alone = await organization.serve(PORTS.alone);
  const replicated = await organization.serve(PORTS.replicated, { DATABASE_REPLICA_URL: onStandby.url });
  try {
    const databases = [database, onStandby] as const;
    print(['CPU µs a request', 'node', 'primary', 'replicated', 'primary', 'replica']);
    for (const call of hotCalls(filled, '').filter(({ name }) => READS.includes(name))) {
      const [without, withReplica] = await leastCosts(call, [alone, replicated], organization, databases);
      const figures = [
        without.node,
        without.primary,
        withReplica.node,
        withReplica.primary,
        withReplica.replica,
      ];
      print([call.name, ...figures.map((figure) => figure.toFixed(0))]);
    }
  } finally {
    await replicated.stop();
    await alone.stop();
    await organization.drop();
  }
}

/** Both in turns: other work on the machine can only add to the cost. */
async function leastCosts(
  call: Call,
  servers: readonly [ServerProcess, ServerProcess],
  organization: BenchOrganization,
  databases: readonly [BenchDatabase, BenchDatabase],
): Promise<readonly [Cost, Cost]> {
  const most = { node: Infinity, primary: Infinity, replica: Infinity };
  const least: [Cost, Cost] = [most, most];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const at of [0, 1] as const) {
      const cost = await costOf(call, servers[at], organization, databases);
      if (round > 0 && sum(cost) < sum(least[at])) least[at] = cost;
    }
  }
  return least;
}

async function costOf(
  call: Call,
  server: ServerProcess,
  organization: BenchOrganization,
  databases: readonly [BenchDatabase, BenchDatabase],
): Promise<Cost> {
  const used = () => Promise.all(databases.map((database) => database.cpuMicroseconds()));
  const [primaryBefore = 0, replicaBefore = 0] = await used();
  const { cpuMicroseconds, requests } = await load({ ...call, requests: REQUESTS }, server, [
    organization.owner,
  ]);
  const [primaryAfter = 0, replicaAfter = 0] = await used();
  return {
    node: cpuMicroseconds,
    primary: (primaryAfter - primaryBefore) / requests,
    replica: (replicaAfter - replicaBefore) / requests,
  };
}

function sum({ node, primary, replica }: Cost): number {
  return node + primary + replica;
}
