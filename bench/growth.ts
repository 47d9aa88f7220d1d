import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../src/platform/sql/queryable';
import { BenchClient, type Call, form, load, print, ROUNDS } from './comparison';
import { lineChart, type Panel, type Series } from './chart';
import {
  type Filled,
  fillOrganization,
  FREQUENT,
  LARGE_CHANNEL,
  type OrganizationSize,
  PATTERN,
  RARE,
  UNREAD,
} from './fill';
import { BenchOrganization } from './organization';
import type { ServerProcess } from './server-process';

/**
 * Measures how the cost of requests grows: the CPU time of the most frequent ones, including PostgreSQL's, in
 * organizations that differ in one dimension, and the exponent of a fitted power law: 0 means independent, 1
 * proportional. Ten connections send the same request. `npm run bench -- --growth` prints the table and draws
 * docs/growth.svg; with `--engine postgres`, docs/growth-postgres.svg. `BENCH_MESSAGES=10000000` sets the largest size.
 */
const PORT = 9810;
const SMALL: OrganizationSize = { people: 100, subscribers: 50, messages: 10_000 };
const REQUESTS = 200;
const ONLY = process.env.BENCH_ONLY ?? '';
const CHARTS = { sqlite: 'docs/growth.svg', postgres: 'docs/growth-postgres.svg' };
const REACTIONS = ['tada', '+1', 'heart', 'octopus', 'smile', 'rocket', 'eyes', 'fire', 'check', 'wave'];

/** Names of the axes, with the organizations along each. */
const AXES: Readonly<Record<string, readonly (readonly [number, OrganizationSize])[]>> = {
  'people in the organization': [100, 1_000, 10_000].map((people) => [people, { ...SMALL, people }]),
  'subscribers of the channel, of 10,000 people': [10, 100, 1_000, 10_000].map((subscribers) => [
    subscribers,
    { ...SMALL, people: 10_000, subscribers },
  ]),
  'messages in the channel': powersOfTen(4, Number(process.env.BENCH_MESSAGES ?? 1_000_000)).map(
    (messages) => [messages, { ...SMALL, messages }],
  ),
};

const top = join(__dirname, '..');

/** Prints the table and draws the chart. */
export async function measureGrowth(engine: Engine): Promise<void> {
  const pattern = await BenchOrganization.create(engine);
  try {
    await makePattern(pattern);
    const panels: Panel[] = [];
    for (const [title, sizes] of Object.entries(AXES)) {
      const lines = await measure(pattern, sizes);
      print([title, ...sizes.map(([x]) => x.toLocaleString('en')), 'exponent']);
      for (const { name, points } of lines) {
        print([
          `  ${name}, CPU µs`,
          ...points.map(([, cost]) => cost.toFixed(0)),
          exponent(points).toFixed(2),
        ]);
      }
      panels.push({ title, series: lines });
    }
    if (ONLY === '')
      writeFileSync(join(top, CHARTS[engine]), lineChart(panels, 'Processor time of a request, µs'));
  } finally {
    await pattern.drop();
  }
}

/** Password of the person who is copied. */
export const PATTERN_PASSWORD = 'a plain lantern at noon';

/** Creates an organization with a channel, the owner, and a person to copy. */
export async function makePattern(pattern: BenchOrganization): Promise<void> {
  const server = await pattern.serve(PORT);
  try {
    const owner = new BenchClient(PORT, pattern.owner);
    await owner.post('/users', { email: PATTERN, password: PATTERN_PASSWORD, full_name: 'Member' });
    const subscriptions = JSON.stringify([{ name: LARGE_CHANNEL }]);
    await owner.post('/users/me/subscriptions', { subscriptions, principals: JSON.stringify([PATTERN]) });
    await owner.post('/users/me/subscriptions', { subscriptions });
  } finally {
    await server.stop();
  }
}

/** A running server with an organization of some size. */
interface Side {
  readonly x: number;
  readonly organization: BenchOrganization;
  readonly server: ServerProcess;
  readonly calls: readonly Call[];
}

/**
 * Measures all sizes in turns, and takes the minimum of several rounds: other work on the machine can only add to it.
 */
async function measure(
  pattern: BenchOrganization,
  sizes: readonly (readonly [number, OrganizationSize])[],
): Promise<Series[]> {
  const sides: Side[] = [];
  const ends: (() => Promise<void>)[] = [];
  try {
    // Created before any server starts: filling takes longer than the lifetime of an unpolled queue.
    const organizations: (readonly [number, BenchOrganization, Filled])[] = [];
    for (const [x, size] of sizes) {
      const organization = await pattern.copy(String(x));
      ends.unshift(() => organization.drop());
      const filled = await organization.reach((db) => fillOrganization(db, size));
      organizations.push([x, organization, filled]);
    }
    for (const [at, [x, organization, filled]] of organizations.entries()) {
      const server = await organization.serve(PORT + at);
      ends.unshift(() => server.stop());
      sides.push({
        x,
        organization,
        server,
        calls: hotCalls(filled, await queueWithMessage(PORT + at, organization)),
      });
    }
    const names = sides[0]?.calls.map(({ name }) => name) ?? [];
    const lines: Series[] = [];
    for (const [at, name] of names.entries()) {
      if (!name.includes(ONLY)) continue;
      const costs = sides.map(() => Infinity);
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [index, side] of sides.entries()) {
          const cost = await costOf({ ...(side.calls[at] as Call), requests: REQUESTS }, side);
          // The first round warms up.
          if (round > 0) costs[index] = Math.min(costs[index] as number, cost);
        }
      }
      lines.push({ name, points: sides.map(({ x }, side) => [x, costs[side] as number]) });
    }
    return lines;
  } finally {
    for (const end of ends) await end();
  }
}

/** The ID of an event queue that has a message on each poll. */
async function queueWithMessage(port: number, { owner }: BenchOrganization): Promise<string> {
  const client = new BenchClient(port, owner);
  const { queue_id } = await client.post('/register', { event_types: '["message"]' });
  await client.post('/messages', { type: 'channel', to: LARGE_CHANNEL, topic: 'topic 7', content: 'Soup' });
  return String(queue_id);
}

async function costOf(call: Call, { organization, server }: Side): Promise<number> {
  const before = await organization.databaseMicroseconds();
  const { cpuMicroseconds, requests } = await load(call, server, [organization.owner]);
  return cpuMicroseconds + ((await organization.databaseMicroseconds()) - before) / requests;
}

/** The most frequent requests. */
export function hotCalls({ channelId, firstMessageId, newestMessageId }: Filled, queueId: string): Call[] {
  let [reactions, read] = [0, 0];
  const unreadFrom = Math.max(firstMessageId, newestMessageId - UNREAD);
  const fetch = (count: number, narrow: readonly unknown[]) =>
    `/messages?${form({ anchor: 'newest', num_before: String(count), num_after: '0', narrow: JSON.stringify(narrow) })}`;
  return [
    { name: 'own user', method: 'GET', path: '/users/me' },
    { name: 'channel list', method: 'GET', path: '/streams' },
    { name: 'topics of the channel', method: 'GET', path: `/users/me/${channelId}/topics` },
    { name: '100 newest messages', method: 'GET', path: fetch(100, []) },
    {
      name: '100 newest messages of a topic',
      method: 'GET',
      path: fetch(100, [
        ['channel', LARGE_CHANNEL],
        ['topic', 'topic 7'],
      ]),
    },
    { name: 'search with 50 hits', method: 'GET', path: fetch(RARE.messages, [['search', RARE.word]]) },
    { name: 'search for a frequent word', method: 'GET', path: fetch(RARE.messages, [['search', FREQUENT]]) },
    {
      name: 'register for messages',
      method: 'POST',
      path: '/register',
      body: () => form({ event_types: '["message"]', fetch_event_types: '["message"]' }),
    },
    {
      name: 'register with 10,000 unread',
      method: 'POST',
      path: '/register',
      body: () => form({ event_types: '[]', fetch_event_types: '["message","update_message_flags"]' }),
    },
    // Before anything is sent that this search would also find.
    {
      name: 'poll that finds a message',
      method: 'GET',
      path: `/events?${form({ queue_id: queueId, last_event_id: '-1' })}`,
    },
    {
      name: 'send',
      method: 'POST',
      path: '/messages',
      body: () =>
        form({ type: 'channel', to: String(channelId), topic: 'topic 7', content: 'Soup **at noon**?' }),
    },
    {
      name: 'send a direct message',
      method: 'POST',
      path: '/messages',
      body: () => form({ type: 'direct', to: JSON.stringify([PATTERN]), content: 'Soup **at noon**?' }),
    },
    {
      name: 'add a reaction',
      method: 'POST',
      path: () => `/messages/${unreadFrom + (reactions % UNREAD)}/reactions`,
      body: () => form({ emoji_name: REACTIONS[Math.floor(reactions++ / UNREAD) % REACTIONS.length] ?? '' }),
    },
    {
      name: 'mark a message as read',
      method: 'POST',
      path: '/messages/flags',
      body: () => form({ messages: `[${unreadFrom + (read++ % UNREAD)}]`, op: 'add', flag: 'read' }),
    },
  ];
}

/** The slope of the regression line through the logarithms. */
function exponent(points: readonly (readonly [number, number])[]): number {
  const logarithms = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (point: readonly [number, number]) => number) =>
    logarithms.reduce((sum, point) => sum + of(point), 0) / logarithms.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean(([x, y]) => (x - meanX) * (y - meanY)) / mean(([x]) => (x - meanX) ** 2);
}

function powersOfTen(first: number, most: number): number[] {
  const powers: number[] = [];
  for (let power = 10 ** first; power <= most; power *= 10) powers.push(power);
  return powers;
}
