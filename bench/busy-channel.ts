import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, addPerson, BenchClient, print } from './comparison';

/** Number of senders in another channel, in addition to those in one channel. */
const SENDERS_ELSEWHERE = 10;

/** How often each write is measured. */
const TIMES = 10;

/** Maximum duration of a write. */
const GOAL_MS = 1_000;

/** The senders, and their channels. They send to the first one, named `busy 0`. */
interface Place {
  readonly people: readonly Account[];
  readonly channelIds: readonly number[];
}

type Write = () => Promise<unknown>;

/** Writes that undo each other, by name. */
type Pair = Readonly<Record<string, Write>>;

/**
 * Prints the maximum duration of other writes while people send to one channel without a pause, and some to another:
 * writes that change what senders depend on, or many rows at once.
 */
export async function measureWaits(owner: BenchClient, port: number, place: Place): Promise<void> {
  const { people, channelIds } = place;
  const [busy = 0, other = 0] = channelIds;
  const pairs = await prepare(owner, new BenchClient(port, people[0] as Account), channelIds);
  const elsewhere: Account[] = [];
  for (let n = 0; n < SENDERS_ELSEWHERE; n++) elsewhere.push(await addPerson(owner, `Elsewhere ${n}`));
  const principals = JSON.stringify(elsewhere.map(({ email }) => email));
  await owner.post('/users/me/subscriptions', { subscriptions: '[{"name":"busy 1"}]', principals });

  const senders = new Senders();
  for (const person of people) senders.start(new BenchClient(port, person), busy);
  for (const person of elsewhere) senders.start(new BenchClient(port, person), other);
  print(['', '']);
  print([`beside ${people.length} senders`, 'longest ms', 'the goal is']);
  for (const pair of pairs) {
    const longest = Object.fromEntries(Object.keys(pair).map((name) => [name, 0]));
    for (let time = 0; time < TIMES; time++) {
      for (const [name, write] of Object.entries(pair)) {
        await sleep(50);
        const began = performance.now();
        await write();
        longest[name] = Math.max(longest[name] ?? 0, performance.now() - began);
      }
    }
    for (const [name, ms] of Object.entries(longest)) print([name, ms.toFixed(0), String(GOAL_MS)]);
  }
  await senders.stop();
  print([`messages sent meanwhile`, String(senders.sent)]);
}

/** People who send one message after the other. */
class Senders {
  sent = 0;
  private isOver = false;
  private readonly sending: Promise<void>[] = [];

  start(client: BenchClient, channelId: number): void {
    this.sending.push(this.keepSending(client, channelId, `topic ${this.sending.length}`));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.sending);
  }

  private async keepSending(client: BenchClient, channelId: number, topic: string): Promise<void> {
    const message = { type: 'channel', to: String(channelId), topic, content: 'Soup **at noon**?' };
    while (!this.isOver) {
      try {
        await client.post('/messages', message);
        this.sent++;
      } catch (error) {
        // The channel is archived for a while.
        if (!String(error).includes('Not authorized')) throw error;
      }
    }
  }
}

/** @param reader a subscriber of the channel */
async function prepare(
  owner: BenchClient,
  reader: BenchClient,
  [busy = 0, , quiet = 0]: readonly number[],
): Promise<Pair[]> {
  const leaver = await addPerson(owner, 'Leaver');
  const { group_id: group } = await owner.post('/user_groups/create', {
    name: 'cooks',
    description: '',
    members: '[]',
  });
  const sent = await reader.post('/messages', {
    type: 'channel',
    to: String(busy),
    topic: 'lunch',
    content: 'Soup?',
  });
  const subscriptions = JSON.stringify([{ name: 'busy 0' }]);
  const principals = JSON.stringify([leaver.email]);
  await owner.post('/users/me/subscriptions', { subscriptions, principals });

  const channel = (fields: Record<string, string>) => () => owner.call('PATCH', `/streams/${busy}`, fields);
  const move = (fields: Record<string, string>) => () =>
    owner.call('PATCH', `/messages/${Number(sent.id)}`, { propagate_mode: 'change_all', ...fields });
  const members = (change: string) => () =>
    owner.post(`/user_groups/${Number(group)}/members`, { [change]: `[${leaver.id}]` });
  const narrow = JSON.stringify([{ operator: 'channel', operand: busy }]);
  const mark = (op: string) => () =>
    reader.post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: '5000',
      num_after: '0',
      narrow,
      op,
      flag: 'read',
    });
  return [
    {
      'join the channel': () => owner.post('/users/me/subscriptions', { subscriptions }),
      'leave it': () => owner.call('DELETE', '/users/me/subscriptions', { subscriptions: '["busy 0"]' }),
    },
    { 'rename it': channel({ new_name: 'busier' }), 'name it as before': channel({ new_name: 'busy 0' }) },
    {
      'rename a topic': move({ topic: 'dinner' }),
      'merge it into one that is there': move({ topic: 'topic 1' }),
    },
    {
      'move a topic to a quiet channel': move({ stream_id: String(quiet) }),
      'move it back': move({ stream_id: String(busy) }),
    },
    { 'add somebody to a group': members('add'), 'remove him': members('delete') },
    {
      'deactivate a subscriber': () => owner.call('DELETE', `/users/${leaver.id}`),
      'bring him back': () => owner.post(`/users/${leaver.id}/reactivate`, {}),
    },
    { 'mark 5,000 messages as read': mark('add'), 'mark them as unread': mark('remove') },
    {
      'archive the channel': () => owner.call('DELETE', `/streams/${busy}`),
      'bring it back': channel({ is_archived: 'false' }),
    },
  ];
}
