import { Role } from '../../src/platform/actor';
import type { Answer } from '../support/api-client';
import { PASSWORD } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';

if (!hasPostgres) test.todo('permissions on two nodes: TEST_DATABASE_URL names no server');

/** How often each right is taken away and given back, on either node in turns. */
const ROUNDS = 20;

/** Each of them asks its node without a pause: what the node knows is never old, and yet may be too old. */
const ONLOOKERS = 3;

let one: TestApp;
let other: TestApp;

/** What somebody may do, or may not. */
interface Right {
  /** Gives it, or takes it away. */
  readonly set: (node: TestApp, isGiven: boolean) => Promise<Answer>;
  /** Makes use of it. */
  readonly use: (node: TestApp) => Promise<Answer>;
  /** What those are told who do not have it; by default with the code and status of any refusal. */
  readonly refusal: string;
  readonly unlike?: Parameters<typeof expectError>[2];
}

const SENDING_REFUSED = 'You do not have permission to post in this channel.';

/** A channel of Olivia's and Mia's. */
const makeChannel = (name: string, isPrivate: boolean) => {
  const { olivia, mia } = one.cast;
  return createChannel(one, olivia, name, { invite_only: isPrivate, principals: [olivia.id, mia.id] });
};

const subscribingMia = (name: string) => (node: TestApp, isGiven: boolean) => {
  const who = { principals: [node.cast.mia.id] };
  const client = node.as(node.cast.olivia);
  return isGiven
    ? client.post('/users/me/subscriptions', { subscriptions: [{ name }], ...who })
    : client.delete('/users/me/subscriptions', { subscriptions: [name], ...who });
};

const sendingAsMia = (channel: number) => (node: TestApp) =>
  node
    .as(node.cast.mia)
    .post('/messages', { type: 'channel', to: channel, topic: 'topic', content: 'Hello' });

const RIGHTS: Readonly<Record<string, () => Promise<Right>>> = {
  'reads what is in a private channel': async () => {
    const channel = await makeChannel('read', true);
    const message = await sendTo(one, one.cast.olivia, channel, 'secret');
    return {
      set: subscribingMia('read'),
      use: (node) => node.as(node.cast.mia).get(`/messages/${message}`),
      refusal: 'Invalid message(s)',
    };
  },
  'sends to a private channel': async () => {
    const channel = await makeChannel('sent to', true);
    return {
      set: subscribingMia('sent to'),
      use: sendingAsMia(channel),
      refusal: `Channel with ID '${channel}' does not exist`,
      unlike: { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: channel } },
    };
  },
  'is in a group that may send': async () => {
    const { olivia, mia } = one.cast;
    const channel = await makeChannel('of a group', false);
    const group = await createGroup(one, 'writers', [mia.id]);
    const change = { can_send_message_group: { new: group } };
    expectSuccess(await one.as(olivia).patch(`/streams/${channel}`, change));
    return {
      set: (node, isGiven) =>
        node.as(olivia).post(`/user_groups/${group}/members`, { [isGiven ? 'add' : 'delete']: [mia.id] }),
      use: sendingAsMia(channel),
      refusal: SENDING_REFUSED,
    };
  },
  'sends to a channel that is open to all': async () => {
    const channel = await makeChannel('open', false);
    const groupOf = (isGiven: boolean) =>
      systemGroupId(one, isGiven ? 'role:everyone' : 'role:administrators');
    return {
      set: (node, isGiven) =>
        node
          .as(node.cast.olivia)
          .patch(`/streams/${channel}`, { can_send_message_group: { new: groupOf(isGiven) } }),
      use: sendingAsMia(channel),
      refusal: SENDING_REFUSED,
    };
  },
  'is an administrator': async () => {
    const { olivia, adam } = one.cast;
    const roleOf = (isGiven: boolean) => (isGiven ? Role.administrator : Role.member);
    return {
      set: (node, isGiven) => node.as(olivia).patch(`/users/${adam.id}`, { role: roleOf(isGiven) }),
      use: (node) => node.as(adam).patch('/realm', { description: 'Soup' }),
      refusal: 'Must be an organization administrator',
      unlike: { code: 'UNAUTHORIZED_PRINCIPAL' },
    };
  },
  'has an account in use': async () => {
    const { olivia, gus } = one.cast;
    let credentials = one.credentialsOf(gus);
    return {
      set: async (node, isGiven) => {
        const path = `/users/${gus.id}`;
        const client = node.as(olivia);
        const answer = await (isGiven ? client.post(`${path}/reactivate`) : client.delete(path));
        // It comes back with another key.
        if (isGiven) credentials = node.credentialsOf(gus);
        return answer;
      },
      use: (node) => node.client(credentials).get('/users/me'),
      refusal: 'Account is deactivated',
      unlike: { code: 'UNAUTHORIZED', status: 401 },
    };
  },
  'has the API key of today': async () => {
    const { max } = one.cast;
    let { apiKey } = one.credentialsOf(max);
    let newest = apiKey;
    const as = (node: TestApp, key: string) => node.client({ email: max.email, apiKey: key });
    return {
      set: async (node, isGiven) => {
        const answer = await as(node, newest).post('/users/me/api_key/regenerate');
        newest = answer.body.api_key;
        if (isGiven) apiKey = newest;
        return answer;
      },
      use: (node) => as(node, apiKey).get('/users/me'),
      refusal: 'Invalid API key',
      unlike: { code: 'UNAUTHORIZED', status: 401 },
    };
  },
  'has a named API key': async () => {
    const { mia } = one.cast;
    const body = { name: 'here', scopes: 'read', password: PASSWORD };
    const make = async (node: TestApp) => (await (await node.companionAs(mia)).post('/auth/keys', body)).body;
    let key = await make(one);
    return {
      set: async (node, isGiven) => {
        if (isGiven) key = await make(node);
        else expect((await (await node.companionAs(mia)).delete(`/auth/keys/${key.id}`)).status).toBe(204);
        return node.onlooker(mia).get('/users/me');
      },
      use: (node) => node.client({ email: mia.email, apiKey: key.api_key }).get('/users/me'),
      refusal: 'Invalid API key',
      unlike: { code: 'UNAUTHORIZED', status: 401 },
    };
  },
};

(hasPostgres ? describe : describe.skip)('on two nodes, somebody who', () => {
  let isOver = false;
  let looking: Promise<void>[];

  beforeAll(async () => {
    one = await TestApp.start({ engine: 'postgres', withoutLaw: 'a few things change hundreds of times' });
    other = await one.anotherNode();
    looking = [one, other].flatMap((node) => Array.from({ length: ONLOOKERS }, () => look(node)));
  });

  afterAll(async () => {
    isOver = true;
    await Promise.all(looking);
    await other.stop();
    await one.stop();
  });

  async function look(node: TestApp): Promise<void> {
    while (!isOver) expectSuccess(await node.onlooker(node.cast.mona).get('/users/me'));
  }

  it.each(Object.entries(RIGHTS))('%s is at once refused and allowed on the other', async (_what, make) => {
    const { set, use, refusal, unlike } = await make();
    for (let round = 0; round < ROUNDS; round++) {
      const [here, there] = round % 2 === 0 ? [one, other] : [other, one];
      expectSuccess(await set(here, false));
      expectError(await use(there), refusal, unlike);
      expectSuccess(await set(here, true));
      expectSuccess(await use(there));
    }
  });
});
