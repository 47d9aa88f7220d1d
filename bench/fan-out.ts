import { print } from './comparison';

/**
 * A simulation of fan-out over many nodes: made-up nodes with one processor each, between which clients are spread evenly,
 * and to which one database hands every event. Costs are those that were measured (docs/performance.md), as arguments may
 * change them: `npx ts-node bench/fan-out.ts [µs to read an event] [µs to deliver to a poll]`. It tells how long the last of
 * the clients waits for a message, and how busy a node is, if every node reads every event (as Parley does), and if events
 * went only to nodes that have somebody they concern.
 */
const READ_US = Number(process.argv[2] ?? 50);
const DELIVER_US = Number(process.argv[3] ?? 90);
const SECONDS = 60;

interface Team {
  readonly people: number;
  readonly nodes: number;
  /** Messages a second, of everybody together. */
  readonly messages: number;
  /** People who read a channel; the channels share everybody. */
  readonly channelSize: number;
  /** Share of the people who are connected. */
  readonly connected: number;
}

const TEAMS: readonly Team[] = [
  { people: 10_000, nodes: 1, messages: 5, channelSize: 200, connected: 0.5 },
  { people: 10_000, nodes: 1, messages: 5, channelSize: 5_000, connected: 0.5 },
  { people: 100_000, nodes: 4, messages: 50, channelSize: 200, connected: 0.5 },
  { people: 100_000, nodes: 16, messages: 50, channelSize: 200, connected: 0.5 },
  { people: 100_000, nodes: 16, messages: 50, channelSize: 5_000, connected: 0.5 },
  { people: 10_000_000, nodes: 400, messages: 5_000, channelSize: 200, connected: 0.3 },
  { people: 10_000_000, nodes: 400, messages: 50_000, channelSize: 200, connected: 0.3 },
];

interface Outcome {
  /** Share of the time that a node is busy, if it had as much time as it needs. */
  readonly busy: number;
  /** From the commit to the last client, 99 % of the messages; null where nodes never catch up. */
  readonly slowMs: number | null;
}

/**
 * One node, since all are alike: messages arrive at random, each concerns as many of its clients as chance has it, and the
 * node works them off one after the other. The last client of a message waits for the slowest of several nodes.
 * @param readsAll whether events without anybody here are read as well
 */
function simulate({ people, nodes, messages, channelSize, connected }: Team, readsAll: boolean): Outcome {
  const random = generator(1);
  const meanClients = (channelSize * connected) / Math.min(nodes, people);
  const involved = Math.min(nodes, channelSize * connected);
  const waits: number[] = [];
  let [now, freeAt, work] = [0, 0, 0];
  while (now < SECONDS * 1e6) {
    now += -Math.log(1 - random()) * (1e6 / messages);
    const clients = poisson(meanClients, random);
    if (clients === 0 && !readsAll) continue;
    const cost = READ_US + clients * DELIVER_US;
    work += cost;
    freeAt = Math.max(freeAt, now) + cost;
    if (clients > 0) waits.push(freeAt - now);
  }
  const busy = work / (SECONDS * 1e6);
  waits.sort((one, other) => one - other);
  // The slowest of n nodes is at its median where one node is at the n-th root of a half.
  const share = Math.max(0.99, 0.5 ** (1 / involved));
  const slow = waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return { busy, slowMs: busy >= 1 ? null : slow / 1000 };
}

/** How many of many unlikely things happen, where so many do on average. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count++;
  return count;
}

/** The same numbers between 0 and 1 each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function cells({ busy, slowMs }: Outcome): string[] {
  return [`${(busy * 100).toFixed(1)} %`, slowMs === null ? 'never' : `${slowMs.toFixed(1)} ms`];
}

print(['people, nodes, messages/s, channel', 'busy', 'p99 to last', 'busy, routed', 'p99, routed']);
for (const team of TEAMS) {
  const { people, nodes, messages, channelSize } = team;
  const name = [people, nodes, messages, channelSize].map((number) => number.toLocaleString('en')).join('  ');
  print([name, ...cells(simulate(team, true)), ...cells(simulate(team, false))]);
}
