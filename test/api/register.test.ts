import { Role } from '../../src/platform/actor';
import { initialState, stateFor } from '../../src/platform/client-state/initial-state.hooks';
import { Hooks } from '../../src/platform/hooks/hooks';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { descriptionCheck } from '../support/description/running-check';
import { TestApp } from '../support/test-app';
import type { QueueEvent, TestQueue } from '../support/test-queue';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
});

afterAll(() => app.stop());

const register = (member: Member | null, parameters: Parameters = {}) =>
  (member ? app.as(member) : app.client()).post('/register', { fetch_event_types: [], ...parameters });

const texts = async (queue: TestQueue): Promise<string[]> =>
  (await queue.events())
    .filter(({ type }: QueueEvent) => type === 'message')
    .map(({ message }: QueueEvent) => message.content);

describe('Registering', () => {
  it('gives a queue, the versions, and the state of the types that are asked for', async () => {
    const { max } = app.cast;
    const bare = expectSuccess(await register(max));
    expect(bare).toEqual({
      result: 'success',
      msg: '',
      queue_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      last_event_id: -1,
      idle_queue_timeout_secs: 600,
      max_reminder_note_length: 1000,
      zulip_version: '12.0',
      zulip_merge_base: '12.0',
      zulip_feature_level: 497,
    });
    const types = ['message', 'realm_user', 'no such type'];
    const some = expectSuccess(await register(max, { fetch_event_types: types }));
    expect(some).toMatchObject({ user_id: max.id, email: max.email, max_message_id: -1 });
    expect(some).not.toHaveProperty('realm_name');
  });

  it('fetches the state of the types of events, and all of it where it is told neither', async () => {
    const { max } = app.cast;
    const parameters = { fetch_event_types: undefined, event_types: ['realm_user'] };
    const some = expectSuccess(await register(max, parameters));
    expect(some).toHaveProperty('realm_users');
    expect(some).not.toHaveProperty('streams');
    for (const nothing of [undefined, 'null']) {
      const types = { fetch_event_types: nothing, event_types: nothing };
      const all = expectSuccess(await register(max, types));
      expect(Object.keys(all)).toEqual(
        expect.arrayContaining(['realm_users', 'streams', 'realm_name', 'subscriptions']),
      );
    }
  });

  it.each<[Parameters, string]>([
    [{ event_types: 'x' }, 'event_types is not valid JSON'],
    [{ event_types: '5' }, 'event_types is not a list'],
    [{ event_types: '[5]' }, 'event_types[0] is not a string'],
    [{ event_types: `[${'"a",'.repeat(500)}"a"]` }, 'event_types is too long (limit: 500 items)'],
    [{ fetch_event_types: '{}' }, 'fetch_event_types is not a list'],
    [{ narrow: '5' }, 'narrow is not a list'],
    [{ narrow: '["channel"]' }, 'narrow[0] is not a list'],
    [{ narrow: '[["channel", 5]]' }, 'narrow[0][1] is not a string'],
    [{ narrow: '[["channel", "a"], ["topic"]]' }, 'narrow[1] should have exactly 2 items'],
    [{ narrow: '[["channel", "a", "b"]]' }, 'narrow[0] should have exactly 2 items'],
    [{ narrow: [['dm', 'a@example.com']] }, 'Operator dm not supported.'],
    [{ narrow: [['near', '5']] }, 'Operator near not supported.'],
    [{ narrow: [['is', 'followed']] }, 'Operand followed not supported.'],
    [{ include_subscribers: 'maybe' }, 'Invalid include_subscribers'],
    [{ client_gravatar: 'yes' }, 'client_gravatar is not valid JSON'],
    [{ apply_markdown: '1' }, 'apply_markdown is not a boolean'],
    [{ slim_presence: 'null' }, 'slim_presence is not a boolean'],
    [{ presence_history_limit_days: '-1' }, 'presence_history_limit_days is too small'],
    [{ queue_lifespan_secs: '-1' }, 'queue_lifespan_secs is too small'],
    [{ idle_queue_timeout: '-1' }, 'Invalid idle_queue_timeout'],
    [{ idle_queue_timeout: '0' }, 'Invalid idle_queue_timeout'],
    [{ idle_queue_timeout: '"tablet"' }, 'Invalid idle_queue_timeout'],
    [{ client_capabilities: '[]' }, 'client_capabilities is not a dict'],
    [
      { client_capabilities: '{}' },
      'client_capabilities["notification_settings_null"] field is missing: Field required',
    ],
    [
      { client_capabilities: { notification_settings_null: true, archived_channels: 1 } },
      'client_capabilities["archived_channels"] is not a boolean',
    ],
  ])('refuses what it cannot take (%#)', async (parameters, message) => {
    expectError(await register(app.cast.max, parameters), message);
  });

  it('says which parameters it does not know, and takes capabilities that it does not know', async () => {
    const capabilities = { notification_settings_null: true, teleportation: true };
    const answer = await register(app.cast.max, { client_capabilities: capabilities, dense_mode: true });
    expectSuccess(answer, { ignored: ['dense_mode'] });
  });

  it('is open to those without an account where the organization shows anything to the web', async () => {
    const { olivia } = app.cast;
    const unauthorized = {
      code: 'UNAUTHORIZED',
      status: 401,
    };
    const notLoggedIn = 'Not logged in: API authentication or user session required';
    expectError(await register(null), notLoggedIn, unauthorized);
    expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
    const state = expectSuccess(await register(null, { fetch_event_types: ['realm', 'stream'] }));
    expect(state).toMatchObject({ queue_id: null, zulip_feature_level: 497, streams: [] });
    expect(state).toHaveProperty('realm_name');
    expect(state).not.toHaveProperty('last_event_id');
    for (const name of ['client_gravatar', 'include_subscribers']) {
      expectError(
        await register(null, { [name]: true }),
        `Invalid '${name}' parameter for anonymous request`,
      );
    }
    expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: false }));
  });

  it('keeps the newest thousand queues of a person', async () => {
    const { mona } = app.cast;
    const oldest = await app.queue(mona);
    const polled = oldest.request();
    await app.get(TransactionService).run(async (tx) => {
      for (let n = 1; n < 1_000; n++) {
        await tx.query(
          `INSERT INTO event_queue (id, user_id, options, start_number, idle_timeout_seconds, last_seen_at)
           SELECT ?, user_id, options, start_number, idle_timeout_seconds, last_seen_at + 1
           FROM event_queue WHERE id = ?`,
          [`copy ${n}`, oldest.id],
        );
      }
    });
    const newest = await app.queue(mona);
    expect(expectSuccess(await polled).events).toEqual([]);
    expect((await oldest.request()).body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect(await newest.events()).toEqual([]);
  });
});

describe('A narrow', () => {
  const narrowed = (member: Member, narrow: string[][]) => app.queue(member, { narrow });

  beforeAll(async () => {
    const { mia, max } = app.cast;
    await createChannel(app, mia, 'Lunch', { principals: [mia.id, max.id] });
    await createChannel(app, mia, 'dinner', { principals: [mia.id, max.id] });
  });

  it('lets through the messages that fit all of its terms', async () => {
    const { mia, max } = app.cast;
    const narrows: [string[][], string[]][] = [
      [[['channel', 'lUNCH']], ['1', '2', '4']],
      [[['stream', 'Lunch']], ['1', '2', '4']],
      [
        [
          ['channel', 'Lunch'],
          ['topic', 'SOUP'],
        ],
        ['1'],
      ],
      [[['topic', 'soup']], ['1', '3']],
      [[['topic', 'general chat']], ['4']],
      [[['sender', max.email.toUpperCase()]], ['2']],
      [[['is', 'dm']], ['5']],
      [[['is', 'private']], ['5']],
      [[['is', 'mentioned']], ['@**Max Member** 6']],
      [[['is', 'alerted']], ['@**Max Member** 6']],
      [[['is', 'unread']], ['1', '3', '4', '5', '@**Max Member** 6', '7']],
      [[['is', 'starred']], []],
      [[['is', 'resolved']], ['7']],
      [[['is', 'whatever']], ['1', '2', '3', '4', '5', '@**Max Member** 6', '7']],
      [[['channel', 'no such channel']], []],
    ];
    const queues: [TestQueue, string[]][] = [];
    for (const [narrow, expected] of narrows) queues.push([await narrowed(max, narrow), expected]);
    await sendTo(app, mia, 'Lunch', 'soup', '1');
    await sendTo(app, max, 'Lunch', 'fruit', '2', { read_by_sender: true });
    await sendTo(app, mia, 'dinner', 'soup', '3');
    await sendTo(app, mia, 'Lunch', '', '4');
    await sendDirect(app, mia, [max], '5');
    await sendTo(app, mia, 'dinner', 'bread', '@**Max Member** 6');
    await sendTo(app, mia, 'dinner', '✔ rice', '7');
    for (const [queue, expected] of queues) expect(await texts(queue)).toEqual(expected);
  });

  it('is about messages only', async () => {
    const { max } = app.cast;
    const queue = await narrowed(max, [['channel', 'no such channel']]);
    expectSuccess(await app.as(max).patch('/settings', { twenty_four_hour_time: true }));
    expect(await queue.events()).toMatchObject([{ type: 'user_settings' }]);
  });

  it('brings messages of public channels in which the person is not', async () => {
    const { mia, adam, gus } = app.cast;
    await createChannel(app, mia, 'open');
    await createChannel(app, mia, 'closed', { invite_only: true });
    const [narrow, all, usual, guest] = [
      await narrowed(adam, [['channel', 'open']]),
      await app.queue(adam, { all_public_streams: true }),
      await app.queue(adam),
      await narrowed(gus, [['channel', 'open']]),
    ];
    await sendTo(app, mia, 'open', 'soup', 'hear, hear, @**Adam Administrator**');
    await sendTo(app, mia, 'closed', 'soup', 'psst');
    const [event, ...more] = await narrow.events();
    expect(event).toMatchObject({ type: 'message', flags: [], message: { display_recipient: 'open' } });
    expect(more).toEqual([]);
    expect(await texts(all)).toEqual(['hear, hear, @**Adam Administrator**']);
    expect(await texts(usual)).toEqual([]);
    expect(await texts(guest)).toEqual([]);
  });

  it('brings each message once, however many events it is split into', async () => {
    const { olivia, mia, adam } = app.cast;
    const ids: number[] = [];
    for (let n = 0; n < 101; n++) {
      const account = { deliveryEmail: `crowd${n}@example.com`, fullName: `Crowd ${n}`, role: Role.member };
      ids.push((await app.addAccount(account)).id);
    }
    await createChannel(app, mia, 'crowded', { principals: [mia.id, ...ids] });
    const group = { name: 'crowd', description: '', members: ids };
    expectSuccess(await app.as(olivia).post('/user_groups/create', group));
    const outside = await app.queue(adam, { all_public_streams: true });
    const inside = await app.queue({ id: ids[7] as number }, { all_public_streams: true });
    const events = await app.captureEvents(() => sendTo(app, mia, 'crowded', 'soup', 'Hear, @*crowd*'));
    expect(events.filter(({ event }) => event.type === 'message')).toHaveLength(2);
    expect(await outside.events()).toMatchObject([{ type: 'message', flags: [] }]);
    expect(await inside.events()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
  });

  it('is for no guest who asks for all public channels', async () => {
    const answer = await register(app.cast.gus, { all_public_streams: true });
    expectError(answer, 'User not authorized for this query');
  });

  it('comes from the settings of a bot that says nothing', async () => {
    const { mia, olivia } = app.cast;
    const makeBot = async (name: string, settings: Parameters) => {
      const bot = { full_name: name, short_name: name, ...settings };
      return { id: expectSuccess(await app.as(mia).post('/bots', bot)).user_id };
    };
    await createChannel(app, olivia, 'for bots');
    const listener = await app.queue(
      await makeBot('listener', { default_events_register_stream: 'for bots' }),
    );
    const hoarder = await makeBot('hoarder', { default_all_public_streams: true });
    const [all, own] = [await app.queue(hoarder), await app.queue(hoarder, { all_public_streams: false })];
    await sendTo(app, olivia, 'for bots', 'soup', 'one');
    await sendTo(app, mia, 'Lunch', 'soup', 'two');
    expect(await texts(listener)).toEqual(['one']);
    expect(await texts(all)).toEqual(['one', 'two']);
    expect(await texts(own)).toEqual([]);
  });
});

describe('State and events', () => {
  const CHANNELS = 40;
  const MESSAGES = 60;

  it('fit together exactly, whatever is written meanwhile', async () => {
    const { olivia, max, mia } = app.cast;
    await createChannel(app, mia, 'busy', { principals: [mia.id, max.id] });
    descriptionCheck.tolerate('messages_there');
    app.get(Hooks).on(
      initialState,
      stateFor('message', async (db) => {
        const rows = await db.query<{ id: number }>('SELECT id FROM message WHERE id > ?', [newest]);
        return { messages_there: rows.map(({ id }) => id) };
      }),
    );
    const newest = await sendTo(app, mia, 'busy', 'soup', 'the last one before');
    const sent: number[] = [];
    let isDone = false;
    const writers = Promise.all([
      (async () => {
        for (let n = 0; n < CHANNELS; n++) await createChannel(app, olivia, `made meanwhile ${n}`);
      })(),
      (async () => {
        for (let n = 0; n < CHANNELS; n++) {
          expectSuccess(await app.as(mia).patch('/settings', { full_name: `Mia ${n}` }));
        }
      })(),
      ...['soup', 'fruit', 'bread'].map(async (topic) => {
        for (let n = 0; n < MESSAGES; n++) sent.push(await sendTo(app, mia, 'busy', topic, `${n}`));
      }),
    ]).finally(() => {
      isDone = true;
    });
    const queues: TestQueue[] = [];
    while (!isDone) {
      const types = ['message', 'stream', 'realm_user'];
      queues.push(await app.queue(max, { fetch_event_types: types, event_types: types }));
    }
    await writers;
    expect(queues.length).toBeGreaterThan(3);

    for (const queue of queues) {
      const events = await queue.events();
      expect(events.map(({ id }) => id)).toEqual(
        [...new Set(events.map(({ id }) => id))].sort((a, b) => a - b),
      );
      const of = (type: string) => events.filter((event) => event.type === type);

      const heard = of('message').map(({ message }) => message.id);
      const known = [...queue.state.messages_there, ...heard].sort((a, b) => a - b);
      expect(known).toEqual([...sent].sort((a, b) => a - b));

      const made = of('stream').flatMap(({ streams }) => streams);
      const names = [...queue.state.streams, ...made]
        .map(({ name }) => name)
        .filter((name) => name.startsWith('made meanwhile'));
      expect(names.sort()).toEqual(Array.from({ length: CHANNELS }, (_, n) => `made meanwhile ${n}`).sort());

      const record = queue.state.realm_users.find(({ user_id: id }: { user_id: number }) => id === mia.id);
      const last = Number(/^Mia (\d+)$/.exec(record.full_name)?.[1] ?? -1);
      const later = of('realm_user').map(({ person }) => Number(person.full_name.slice(4)));
      expect(later).toEqual(Array.from({ length: CHANNELS - 1 - last }, (_, at) => last + 1 + at));
    }
  });
});
