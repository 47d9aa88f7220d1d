import { check, topicOf } from '../check';
import { boolean, expectThat, list, listWith, number, object, text } from '../expectations';

/** The state of each fetch type, with the keys that clients read. */
const STATE: readonly (readonly [string, object])[] = [
  ['alert_words', { alert_words: list }],
  ['custom_profile_fields', { custom_profile_fields: list, custom_profile_field_types: object }],
  ['default_streams', { realm_default_streams: list }],
  ['drafts', { drafts: list }],
  ['message', { max_message_id: number }],
  ['muted_users', { muted_users: list }],
  ['presence', { presences: object }],
  [
    'realm',
    {
      realm_name: text,
      realm_description: text,
      realm_message_retention_days: number,
      max_message_length: number,
      max_topic_length: number,
      realm_allow_message_editing: boolean,
    },
  ],
  ['realm_bot', { realm_bots: list }],
  ['realm_domains', { realm_domains: list }],
  ['realm_emoji', { realm_emoji: object }],
  ['realm_linkifiers', { realm_linkifiers: list }],
  ['realm_playgrounds', { realm_playgrounds: list }],
  [
    'realm_user',
    {
      realm_users: list,
      user_id: number,
      email: text,
      full_name: text,
      is_admin: boolean,
      is_owner: boolean,
      cross_realm_bots: list,
    },
  ],
  ['realm_user_groups', { realm_user_groups: list }],
  ['recent_private_conversations', { recent_private_conversations: list }],
  ['scheduled_messages', { scheduled_messages: list }],
  ['starred_messages', { starred_messages: list }],
  ['stream', { streams: list }],
  ['subscription', { subscriptions: list, unsubscribed: list, never_subscribed: list }],
  ['message, update_message_flags', { unread_msgs: object }],
  ['user_settings', { user_settings: object }],
  ['user_status', { user_status: object }],
  ['user_topic', { user_topics: list }],
];

/** Registering, polling, and the life of queues. */
export const EVENTS = topicOf(
  'events',
  check('registers a client', 'It gets a queue and where to begin.', async (scene) => {
    expectThat('POST /register', await scene.state(['message']), {
      queue_id: text,
      last_event_id: number,
      zulip_feature_level: number,
    });
  }),
  ...STATE.map(([type, expected]) =>
    check(`tells the state of "${type}"`, 'Clients begin with it, and events change it.', async (scene) => {
      expectThat('POST /register', await scene.state(type.split(', ')), expected);
    }),
  ),
  check('leaves out what was not asked for', 'Small clients ask for little.', async (scene) => {
    const state = await scene.state(['message']);
    expectThat('POST /register', 'realm_users' in state || 'streams' in state, false);
  }),
  check('fetches other state than it listens for', 'Two parameters say so.', async (scene) => {
    expectThat('POST /register', await scene.state(['message'], { fetch_event_types: ['alert_words'] }), {
      alert_words: list,
    });
  }),
  check('numbers events so that they rise', 'Clients acknowledge the last that they have.', async (scene) => {
    const queue = await scene.listen(['message']);
    for (const content of ['1', '2', '3']) await scene.send(content);
    const first = await queue.next({ type: 'message', message: { content: '<p>1</p>' } });
    const last = await queue.next({ type: 'message', message: { content: '<p>3</p>' } });
    expectThat('IDs rise', Number(last['id']) > Number(first['id']), true);
    await queue.end();
  }),
  check(
    'gives events again until they are acknowledged',
    'An answer may be lost on its way.',
    async (scene) => {
      const queue = await scene.listen(['message']);
      const id = await scene.send('again');
      const poll = { queue_id: queue.id, last_event_id: queue.state['last_event_id'], dont_block: true };
      for (let round = 0; round < 2; round++)
        expectThat(
          'events',
          (await scene.owner.client.ok('GET /events', poll))['events'],
          listWith({ type: 'message', message: { id } }),
        );
      await queue.end();
    },
  ),
  check(
    'answers a waiting poll once something happens',
    'Events do not wait for the next round.',
    async (scene) => {
      const queue = await scene.listen(['message']);
      const poll = scene.owner.client.ok('GET /events', {
        queue_id: queue.id,
        last_event_id: queue.state['last_event_id'],
      });
      const id = await scene.send('wake up');
      expectThat('events', (await poll)['events'], listWith({ type: 'message', message: { id } }));
      await queue.end();
    },
  ),
  check('answers at once where it is asked to', 'Even with nothing to tell.', async (scene) => {
    const queue = await scene.listen(['realm_domains']);
    expectThat(
      'GET /events',
      await scene.owner.client.ok('GET /events', {
        queue_id: queue.id,
        last_event_id: queue.state['last_event_id'],
        dont_block: true,
      }),
      { events: list },
    );
    await queue.end();
  }),
  check('sends only what was asked for', 'A client of messages gets no reactions.', async (scene) => {
    const queue = await scene.listen(['message']);
    const id = await scene.send('x');
    await scene.owner.client.ok(`POST /messages/${id}/reactions`, { emoji_name: 'tada' });
    await queue.next({ type: 'message', message: { id } });
    const last = await scene.send('y');
    await queue.next({ type: 'message', message: { id: last } });
    expectThat(
      'other events',
      (await queue.rest()).some((event) => event['type'] === 'reaction'),
      false,
    );
    await queue.end();
  }),
  check(
    'sends messages of a narrow only where that was asked for',
    'Bots listen to one channel.',
    async (scene) => {
      const queue = await scene.listen(['message'], scene.owner, { narrow: [['topic', 'inside']] });
      await scene.send('out', { topic: 'outside' });
      const id = await scene.send('in', { topic: 'inside' });
      const event = await queue.next({ type: 'message' });
      expectThat('message', event['message'], { id });
      await queue.end();
    },
  ),
  check(
    'gives Markdown in events where HTML was not asked for',
    'Bots read what was written.',
    async (scene) => {
      const queue = await scene.listen(['message'], scene.owner, { apply_markdown: false });
      const id = await scene.send('**plain**');
      await queue.next({ type: 'message', message: { id, content: '**plain**' } });
      await queue.end();
    },
  ),
  check('sends only events that the user may read', 'Private channels are private.', async (scene) => {
    const { name } = await scene.makeChannel({ invite_only: true });
    const queue = await scene.listen(['message'], scene.bot);
    const secret = scene.word();
    await scene.owner.client.ok('POST /messages', { type: 'stream', to: name, topic: 'x', content: secret });
    const id = await scene.send('after it');
    await queue.next({ type: 'message', message: { id } });
    expectThat('other events', JSON.stringify(await queue.rest()).includes(secret), false);
    await queue.end();
  }),
  check('refuses a queue that there is not', 'The code makes clients register again.', async ({ owner }) => {
    const answer = await owner.client.refused(
      'GET /events',
      { queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8', last_event_id: -1, dont_block: true },
      400,
      'BAD_EVENT_QUEUE_ID',
    );
    expectThat('GET /events', answer, { queue_id: 'fb67bf8a-c031-47cc-84cf-ed80accacda8' });
  }),
  check('ends a queue', 'It is gone afterwards.', async (scene) => {
    const queue = await scene.listen(['message']);
    await scene.owner.client.ok('DELETE /events', { queue_id: queue.id });
    await scene.owner.client.refused(
      'GET /events',
      { queue_id: queue.id, last_event_id: -1, dont_block: true },
      400,
      'BAD_EVENT_QUEUE_ID',
    );
  }),
  check('refuses the queue of another user', 'Events are private.', async (scene) => {
    const queue = await scene.listen(['message']);
    const { body } = await scene.bot.client.ask('GET /events', {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    });
    expectThat('GET /events', body, { result: 'error' });
    await queue.end();
  }),
  check('refuses to end a queue that there is not', 'It has gone already.', async ({ owner }) => {
    const queue = 'fb67bf8a-c031-47cc-84cf-ed80accacda8';
    await owner.client.refused('DELETE /events', { queue_id: queue }, 400, 'BAD_EVENT_QUEUE_ID');
  }),
  check('refuses to end the queue of another user', 'Its owner goes on to get events.', async (scene) => {
    const queue = await scene.listen(['message']);
    const { body } = await scene.bot.client.ask('DELETE /events', { queue_id: queue.id });
    expectThat('DELETE /events', body, { result: 'error' });
    const id = await scene.send('x');
    await queue.next({ type: 'message', message: { id } });
    await queue.end();
  }),
  check('says how long a poll may take', 'Clients give up after that.', async (scene) => {
    expectThat('POST /register', await scene.state(['realm']), {
      event_queue_longpoll_timeout_seconds: (value: unknown) => Number(value) > 0,
    });
  }),
  check(
    'tells bots of all public channels where they ask for it',
    'Archives and searches do.',
    async (scene) => {
      const queue = await scene.listen(['message'], scene.bot, { all_public_streams: true });
      const { name } = await scene.makeChannel();
      const message = { type: 'stream', to: name, topic: 'x', content: scene.word() };
      const { id } = await scene.owner.client.ok('POST /messages', message);
      await queue.next({ type: 'message', message: { id } });
      await queue.end();
    },
  ),
  check('asks for the queue', 'The answer names what is missing.', async ({ owner }) => {
    expectThat('GET /events', await owner.client.ask('GET /events', { last_event_id: -1 }), {
      status: 400,
      body: { result: 'error' },
    });
  }),
);
