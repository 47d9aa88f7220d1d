import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import zulip, { type Client } from 'zulip-js';
import { apiKeyOf } from '../support/account-setup';
import { PASSWORD, type Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** How a call ended; `why` where it cannot end well. */
interface Result {
  readonly result: string;
  readonly msg?: string;
  readonly why?: string;
}

/** What is known of each function of each client; a change shows as a difference of this file. */
const recorded = JSON.parse(readFileSync(join(__dirname, 'results.json'), 'utf8')) as Record<
  string,
  Record<string, Result>
>;

let app: TestApp;
let realm: string;
let client: Client;
let channelId: number;

beforeAll(async () => {
  app = await TestApp.start();
  await app.nest.listen(0, '127.0.0.1');
  realm = await app.nest.getUrl();
  const { mia, adam } = app.cast;
  channelId = await createChannel(app, mia, 'lunch', { principals: [mia.id, adam.id] });
  client = await clientOf(adam);
});

afterAll(() => app.stop());

const clientOf = (member: Member) => zulip({ username: member.email, apiKey: apiKeyOf(app, member), realm });

/** A message of the caller's in the channel. */
const newMessage = () => sendTo(app, app.cast.adam, channelId, 'Tuesday', 'soup');

async function newQueue(): Promise<{ queue_id: string; last_event_id: number }> {
  const { queue_id, last_event_id } = await client.queues.register({ event_types: ['message'] });
  return { queue_id, last_event_id };
}

/** Calls every function once, the way its documentation shows. */
const calls: Record<string, () => Promise<Result>> = {
  callEndpoint: () => client.callEndpoint('/users/me', 'GET'),
  'accounts.retrieve': async () => {
    const withPassword = await zulip({ username: app.cast.adam.email, password: PASSWORD, realm });
    return withPassword.accounts.retrieve();
  },
  'streams.retrieve': () => client.streams.retrieve({ include_public: true }),
  'streams.getStreamId': () => client.streams.getStreamId('lunch'),
  'streams.subscriptions.retrieve': () => client.streams.subscriptions.retrieve(),
  'streams.topics.retrieve': () => client.streams.topics.retrieve({ stream_id: channelId }),
  'streams.deleteById': async () => {
    const stream_id = await createChannel(app, app.cast.adam, 'gone');
    return client.streams.deleteById({ stream_id });
  },
  'messages.retrieve': () =>
    client.messages.retrieve({
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'stream', operand: 'lunch' }],
    }),
  'messages.send': () => client.messages.send({ to: 'lunch', type: 'stream', topic: 'a', content: 'b' }),
  'messages.render': () => client.messages.render('**b**'),
  'messages.update': async () => client.messages.update({ message_id: await newMessage(), content: 'stew' }),
  'messages.flags.add': async () =>
    client.messages.flags.add({ messages: [await newMessage()], flag: 'starred' }),
  'messages.flags.remove': async () =>
    client.messages.flags.remove({ messages: [await newMessage()], flag: 'read' }),
  'messages.getById': async () => client.messages.getById({ message_id: await newMessage() }),
  'messages.getHistoryById': async () => client.messages.getHistoryById({ message_id: await newMessage() }),
  'messages.deleteReactionById': async () => {
    const message_id = await newMessage();
    expectSuccess(
      await app.as(app.cast.adam).post(`/messages/${message_id}/reactions`, { emoji_name: 'fish' }),
    );
    return client.messages.deleteReactionById({ message_id, emoji_name: 'fish' });
  },
  'messages.deleteById': async () => client.messages.deleteById({ message_id: await newMessage() }),
  'queues.register': () => client.queues.register({ event_types: ['message'] }),
  'queues.deregister': async () => client.queues.deregister({ queue_id: (await newQueue()).queue_id }),
  'events.retrieve': async () => client.events.retrieve({ ...(await newQueue()), dont_block: true }),
  'users.retrieve': () => client.users.retrieve(),
  'users.create': async () =>
    (await clientOf(app.cast.olivia)).users.create({
      email: 'nils@example.com',
      password: 'three owls on a fence',
      full_name: 'Nils',
    }),
  'users.me.pointer.retrieve': () => client.users.me.pointer.retrieve(),
  'users.me.pointer.update': () => client.users.me.pointer.update(1),
  'users.me.getProfile': () => client.users.me.getProfile(),
  'users.me.subscriptions.add': () => client.users.me.subscriptions.add({ subscriptions: [{ name: 'new' }] }),
  'users.me.subscriptions.remove': () =>
    client.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['lunch']) }),
  'users.me.alertWords.retrieve': () => client.users.me.alertWords.retrieve(),
  'emojis.retrieve': () => client.emojis.retrieve(),
  'typing.send': () => client.typing.send({ to: [app.cast.mia.id, app.cast.max.id], op: 'start' }),
  'reactions.add': async () => client.reactions.add({ message_id: await newMessage(), emoji_name: 'fish' }),
  'reactions.remove': async () => {
    const message_id = await newMessage();
    await client.reactions.add({ message_id, emoji_name: 'fish' });
    return client.reactions.remove({ message_id, emoji_name: 'fish' });
  },
  'server.settings': () => client.server.settings(),
  'filters.retrieve': () => client.filters.retrieve(),
};

/** Names of the functions of the client, as in `messages.flags.add`. */
function functionsOf(resource: object, prefix = ''): string[] {
  return Object.entries(resource).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') return [prefix + name];
    return typeof value === 'object' && value !== null ? functionsOf(value, `${prefix}${name}.`) : [];
  });
}

describe('Every function of zulip-js', () => {
  it('is called here; `callOnEachEvent` has a test of its own', () => {
    const { config: _, ...resources } = client;
    const names = functionsOf(resources).filter((name) => name !== 'callOnEachEvent');
    expect(names.sort()).toEqual(Object.keys(calls).sort());
  });

  it('ends as test/compat/results.json says', async () => {
    const results: Record<string, Result> = {};
    const known = recorded['zulip-js 2.1.0'] ?? {};
    for (const [name, call] of Object.entries(calls)) {
      const { result, msg } = await call();
      const why = known[name]?.why;
      results[name] = { result, ...(msg === '' ? {} : { msg }), ...(why === undefined ? {} : { why }) };
    }
    expect(results).toEqual(known);
  });
});
