import type { Engine } from '../src/platform/sql/queryable';
import { type Account, addPerson, BenchClient, type Call, form, load, print } from './comparison';
import { fillMessages, SETTLE } from './fill';
import { BenchOrganization } from './organization';
import { PollConnection } from './poll-connection';
import type { ServerProcess } from './server-process';

/**
 * Measures the most frequent requests of clients in an organization of 201 people with 12,000 messages, over two
 * connections: the CPU time of the server, of its main thread, and of PostgreSQL. Each server runs alone, so that the
 * results can be compared with those of any other program.
 */
const PORT = 9820;
const PEOPLE = 200;
const SUBSCRIBERS = 20;
const MESSAGES = 12_000;
const UNREAD = 6_000;
const REQUESTS = 1_000;
const ROUNDS = 3;

/** Objects used in the calls. */
interface Made {
  readonly people: readonly Account[];
  readonly teamId: number;
  readonly newestMessageId: number;
}

/** Prints a table. @param only text that the names of measured calls contain */
export async function measureEveryday(engine: Engine, only: string): Promise<void> {
  const organization = await BenchOrganization.create(engine);
  try {
    const made = await make(organization);
    const server = await organization.serve(PORT);
    try {
      print([`everyday, ${engine}`, 'CPU µs', 'main thread', 'database']);
      for (const call of calls(made)) {
        if (!call.name.includes(only)) continue;
        const pair = made.people.slice(0, 2);
        await measure(organization, server, call.name, async () => {
          return (await load({ requests: REQUESTS, ...call }, server, pair, 2)).requests;
        });
      }
      if ('a message to 200 polls'.includes(only)) await measurePolls(organization, server, made);
    } finally {
      await server.stop();
    }
  } finally {
    await organization.drop();
  }
}

async function make(organization: BenchOrganization): Promise<Made> {
  // Returns the API keys of created people.
  const server = await organization.serve(PORT, { SERVER_MODE: 'development' });
  const people: (Account & { id: number })[] = [];
  let teamId = 0;
  try {
    const owner = new BenchClient(PORT, organization.owner);
    for (let n = 0; n < PEOPLE; n++) people.push(await addPerson(owner, `Person ${n}`));
    const subscribe = (name: string, some: readonly Account[]) =>
      owner.post('/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name }]),
        principals: JSON.stringify(some.map(({ email }) => email)),
      });
    await subscribe('team', people.slice(0, SUBSCRIBERS));
    await subscribe('everybody', people);
    teamId = Number((await owner.get('/get_stream_id?stream=team')).stream_id);
  } finally {
    await server.stop();
  }
  const { newestMessageId } = await organization.reach(async (db) => {
    const sender = people.at(-1)?.id as number;
    const filled = await fillMessages(db, sender, teamId, { messages: MESSAGES, unread: UNREAD });
    await db.run(SETTLE[db.engine]);
    return filled;
  });
  return { people, teamId, newestMessageId };
}

function calls({ teamId, newestMessageId }: Made): Call[] {
  let read = 0;
  const narrow = JSON.stringify([{ operator: 'channel', operand: teamId }]);
  return [
    { name: 'own user', method: 'GET', path: '/users/me' },
    { name: 'channel list', method: 'GET', path: '/streams' },
    {
      name: '100 messages of a channel',
      method: 'GET',
      path: `/messages?${form({ anchor: 'newest', num_before: '100', num_after: '0', narrow })}`,
    },
    {
      name: 'register, 6,000 unread',
      method: 'POST',
      path: '/register',
      body: () => form({}),
      requests: 100,
    },
    {
      name: 'send, 20 subscribers',
      method: 'POST',
      path: '/messages',
      body: () =>
        form({ type: 'channel', to: String(teamId), topic: 'topic 7', content: 'Soup **at noon**?' }),
    },
    {
      name: 'mark a message as read',
      method: 'POST',
      path: '/messages/flags',
      body: () => form({ messages: `[${newestMessageId - (read++ % UNREAD)}]`, op: 'add', flag: 'read' }),
    },
  ];
}

/** The minimum of several rounds: other work on the machine can only add to it. */
async function measure(
  organization: BenchOrganization,
  server: ServerProcess,
  name: string,
  run: () => Promise<number>,
): Promise<void> {
  let least = { server: Infinity, main: 0, database: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const before = [
      server.cpuMicroseconds(),
      server.mainMicroseconds(),
      await organization.databaseMicroseconds(),
    ] as const;
    const requests = await run();
    const each = (now: number, then: number) => (now - then) / requests;
    const used = {
      server: each(server.cpuMicroseconds(), before[0]),
      main: each(server.mainMicroseconds(), before[1]),
      database: each(await organization.databaseMicroseconds(), before[2]),
    };
    if (used.server + used.database < least.server + least.database) least = used;
  }
  print([name, ...[least.server, least.main, least.database].map((figure) => figure.toFixed(0))]);
}

async function measurePolls(
  organization: BenchOrganization,
  server: ServerProcess,
  { people }: Made,
): Promise<void> {
  const connections: PollConnection[] = [];
  try {
    for (const person of people) {
      const fields = { event_types: '["message"]', fetch_event_types: '[]' };
      const { queue_id } = await new BenchClient(PORT, person).post('/register', fields);
      connections.push(await PollConnection.open(PORT, person, String(queue_id)));
    }
    const sender = new BenchClient(PORT, people[0] as Account);
    let waiting = connections.map((each) => each.poll());
    const message = { type: 'channel', to: 'everybody', topic: 'bench', content: 'Soup **at noon**?' };
    await measure(organization, server, 'a message to 200 polls', async () => {
      for (let sent = 0; sent < 20; sent++) {
        await sender.post('/messages', message);
        await Promise.all(waiting);
        waiting = connections.map((each) => each.poll());
      }
      return 20;
    });
    waiting.forEach((answer) => void answer.catch(() => undefined));
  } finally {
    for (const each of connections) each.close();
  }
}
