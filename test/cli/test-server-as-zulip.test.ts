import { type Answer, type Parley, ParleyError, startParley, type TestPerson } from '../../src/testing';

// Each block starts a server.
jest.setTimeout(120_000);

let parley: Parley;
let olivia: TestPerson;
let alice: TestPerson;
let bob: TestPerson;
let gus: TestPerson;

function startAt(level?: number): void {
  beforeAll(async () => {
    parley = await startParley({ inProcess: true, ...(level === undefined ? {} : { level }) });
    [olivia, alice, bob, gus] = ['olivia', 'alice', 'bob', 'gus'].map((name) => parley.as(name)) as [
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
    ];
  });
  beforeEach(() => parley.reset());
  afterAll(() => parley.stop());
}

/** What a refused request gets. */
async function refusalOf(request: Promise<Answer>): Promise<{ status: number; answer: Answer }> {
  return request.then(
    (answer) => ({ status: 200, answer }),
    (error: unknown) => {
      if (error instanceof ParleyError) return { status: error.status, answer: error.answer };
      throw error;
    },
  );
}

const badRequest = (msg: string) => ({ status: 400, answer: { result: 'error', msg, code: 'BAD_REQUEST' } });

async function channel(name: string, person = olivia): Promise<number> {
  return Number((await person.get('/get_stream_id', { stream: name }))['stream_id']);
}

async function newChannel(person: TestPerson, name: string, more: Answer = {}): Promise<number> {
  await person.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
  return channel(name, person);
}

async function register(person: TestPerson, more: Answer = {}): Promise<string> {
  return String((await person.post('/register', more))['queue_id']);
}

async function eventsOf(person: TestPerson, queueId: string): Promise<Answer[]> {
  await parley.settled();
  const { events } = await person.get('/events', { queue_id: queueId, last_event_id: -1, dont_block: true });
  return events as Answer[];
}

/** A client that has its events as soon as they come. */
class Client {
  readonly types = new Set<unknown>();
  private last: unknown = -1;

  constructor(
    private readonly person: TestPerson,
    private readonly queueId: string,
  ) {}

  async next(): Promise<Answer[]> {
    await parley.settled();
    const poll = { queue_id: this.queueId, last_event_id: this.last, dont_block: true };
    const { events } = (await this.person.get('/events', poll)) as { events: Answer[] };
    this.last = events.at(-1)?.['id'] ?? this.last;
    for (const { type } of events) this.types.add(type);
    return events;
  }
}

describe('a test server at level 372', () => {
  startAt(372);

  it('lets administrators of a channel archive it, and says to others what they may not', async () => {
    const mine = await newChannel(alice, 'mine');
    await expect(refusalOf(bob.delete(`/streams/${mine}`))).resolves.toEqual(
      badRequest('You do not have permission to administer this channel.'),
    );
    for (const [person, id] of [
      [gus, mine],
      [gus, await channel('secret', alice)],
      [bob, 987_654],
    ] as const)
      await expect(refusalOf(person.delete(`/streams/${id}`))).resolves.toEqual(
        badRequest('Invalid channel ID'),
      );
    await expect(alice.delete(`/streams/${mine}`)).resolves.toEqual({ result: 'success', msg: '' });
    const { streams } = (await olivia.get('/streams', { exclude_archived: false })) as { streams: Answer[] };
    expect(streams.find((each) => each['stream_id'] === mine)).toMatchObject({ is_archived: true });
    await expect(refusalOf(alice.delete(`/streams/${mine}`))).resolves.toEqual(
      badRequest('Channel is already deactivated'),
    );
  });

  it('keeps the members of deactivated groups', async () => {
    const group = { name: 'crew', description: '', members: [alice.id] };
    const { group_id: id } = await olivia.post('/user_groups/create', group);
    await olivia.post(`/user_groups/${String(id)}/deactivate`);
    for (const change of [{ add: [bob.id] }, { delete: [alice.id] }, { add_subgroups: [id] }])
      await expect(refusalOf(olivia.post(`/user_groups/${String(id)}/members`, change))).resolves.toEqual(
        badRequest('User group is deactivated.'),
      );
    await expect(
      refusalOf(olivia.post(`/user_groups/${String(id)}/subgroups`, { add: [id] })),
    ).resolves.toEqual(badRequest('User group is deactivated.'));
    await expect(
      refusalOf(olivia.post(`/user_groups/${String(id)}/members`, { add: [] })),
    ).resolves.toMatchObject({
      answer: { msg: expect.stringContaining('Nothing to do.') },
    });
    await expect(
      refusalOf(olivia.post(`/user_groups/${String(id)}/members`, { add: 'x' })),
    ).resolves.toMatchObject({
      answer: { msg: 'add is not valid JSON' },
    });
    const anonymous = await fetch(`${parley.url}/api/v1/user_groups/${String(id)}/members`, {
      method: 'POST',
    });
    expect(anonymous.status).toBe(401);
  });

  it('has no archived channels but tells what changes about them', async () => {
    const attic = await newChannel(olivia, 'attic', { principals: [olivia.id, alice.id] });
    await alice.send({ channel: 'attic', topic: 'a', content: 'unread' });
    const queue = await register(olivia);
    await olivia.delete(`/streams/${attic}`);
    await olivia.patch(`/streams/${attic}`, { description: 'Dust' });
    const events = await eventsOf(olivia, queue);
    expect(events.filter(({ type }) => type === 'stream')).toEqual([
      {
        id: expect.any(Number),
        type: 'stream',
        op: 'delete',
        streams: [{ stream_id: attic }],
        stream_ids: [attic],
      },
      expect.objectContaining({ op: 'update', property: 'description', value: 'Dust', stream_id: attic }),
    ]);
    for (const path of [`/streams/${attic}`, `/users/me/${attic}/topics`])
      await expect(refusalOf(olivia.get(path))).resolves.toEqual(badRequest('Invalid channel ID'));
    const state = await olivia.post('/register');
    for (const list of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'])
      expect((state[list] as Answer[]).map((each) => each['stream_id'])).not.toContain(attic);
    expect((state['subscriptions'] as Answer[]).length).toBeGreaterThan(0);
    const unread = state['unread_msgs'] as { streams: Answer[]; count: number };
    expect(unread.streams.map((each) => each['stream_id'])).not.toContain(attic);
    const counted = unread.streams.flatMap((each) => each['unread_message_ids'] as number[]);
    expect(unread.count).toBeGreaterThanOrEqual(counted.length);
  });

  it('names all channels that do not exist to who would leave them, and no hidden one', async () => {
    const leave = (...subscriptions: string[]) => bob.delete('/users/me/subscriptions', { subscriptions });
    await expect(refusalOf(leave('lobby', 'nowhere', ' neither '))).resolves.toEqual(
      badRequest('Channel(s) (nowhere, neither) do not exist'),
    );
    await newChannel(alice, 'hidden', { invite_only: true });
    await expect(leave('lobby', 'Hidden')).resolves.toMatchObject({
      removed: ['lobby'],
      not_removed: ['hidden'],
    });
  });

  it('tells that a channel is there to who cannot post in it', async () => {
    await expect(
      refusalOf(gus.post('/messages', { type: 'stream', to: 'team', topic: 'x', content: 'x' })),
    ).resolves.toEqual(badRequest("Not authorized to send to channel 'team'"));
    const secret = await channel('secret', alice);
    await expect(
      refusalOf(gus.post('/messages', { type: 'stream', to: secret, topic: 'x', content: 'x' })),
    ).resolves.toEqual(badRequest("Not authorized to send to channel 'secret'"));
    await expect(
      refusalOf(gus.post('/messages', { type: 'stream', to: 'nowhere', topic: 'x', content: 'x' })),
    ).resolves.toMatchObject({ answer: { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' } });
  });

  it('refuses to schedule a message out of reach as it refuses to send it', async () => {
    const later = { type: 'stream', topic: 'x', content: 'x', scheduled_delivery_timestamp: 4_000_000_000 };
    await expect(
      refusalOf(gus.post('/scheduled_messages', { ...later, to: await channel('team') })),
    ).resolves.toEqual(badRequest("Not authorized to send to channel 'team'"));
  });

  it('lists all active channels that somebody knows', async () => {
    const gone = await newChannel(olivia, 'gone');
    await olivia.delete(`/streams/${gone}`);
    const { streams } = (await bob.get('/streams', { include_all_active: true })) as { streams: Answer[] };
    expect(streams.map(({ name }) => name)).toEqual(expect.arrayContaining(['lobby', 'team', 'secret']));
    expect(streams.map(({ name }) => name)).not.toContain('gone');
  });

  it('tells once that somebody is deactivated, and of their consent when they come back', async () => {
    await olivia.post('/user_groups/create', { name: 'crew', description: '', members: [alice.id, bob.id] });
    const everything = new Client(olivia, await register(olivia));
    const consents = new Client(olivia, await register(olivia, { event_types: ['realm_export_consent'] }));
    await olivia.delete(`/users/${bob.id}`);
    expect((await everything.next()).map(({ type, op, person }) => ({ type, op, person }))).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: bob.id, is_active: false } },
    ]);
    await olivia.post(`/users/${bob.id}/reactivate`);
    const consent = { type: 'realm_export_consent', user_id: bob.id, consented: false };
    expect(await everything.next()).toEqual(expect.arrayContaining([expect.objectContaining(consent)]));
    expect((await consents.next()).filter(({ type }) => type !== 'heartbeat')).toEqual([
      { id: expect.any(Number), ...consent },
    ]);
    await alice.delete('/users/me/subscriptions', { subscriptions: ['team'] });
    expect((await everything.next()).map(({ type, op }) => `${String(type)}/${String(op)}`)).toContain(
      'subscription/peer_remove',
    );
  });

  it('refuses polls without a queue in words alone', async () => {
    const queue_id = await register(olivia);
    await expect(refusalOf(olivia.get('/events', { queue_id }))).resolves.toEqual(
      badRequest("Missing 'last_event_id' argument"),
    );
    for (const parameters of [{}, { last_event_id: -1 }])
      await expect(refusalOf(olivia.get('/events', parameters))).resolves.toEqual(
        badRequest("Missing 'queue_id' argument"),
      );
  });

  it('repeats the IDs of the messages to flag, and always has a list of channels', async () => {
    const id = await alice.send({ channel: 'lobby', topic: 'a', content: 'x' });
    const ask = { messages: [id, 987_654, id], op: 'add', flag: 'read' };
    await expect(alice.post('/messages/flags', ask)).resolves.toEqual({
      result: 'success',
      msg: '',
      messages: [id, 987_654, id],
      ignored_because_not_subscribed_channels: [],
    });
    const range = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [], op: 'add', flag: 'starred' };
    await expect(alice.post('/messages/flags/narrow', range)).resolves.toMatchObject({
      ignored_because_not_subscribed_channels: [],
    });
  });

  it('has keys of bots for bots alone', async () => {
    const helper = parley.as('helper');
    const { members } = (await olivia.get('/users')) as { members: Answer[] };
    const record = (id: number) => members.find((each) => each['user_id'] === id) ?? {};
    expect(record(helper.id)).toMatchObject({ bot_type: 1, bot_owner_id: alice.id });
    for (const person of [record(alice.id), await alice.get('/users/me')]) {
      expect(person).toMatchObject({ user_id: alice.id });
      expect(person).not.toHaveProperty('bot_type');
      expect(person).not.toHaveProperty('bot_owner_id');
    }
  });

  it('tells who administers a bot of its key, name, owner, picture and end', async () => {
    const helper = parley.as('helper');
    const avatar_url = expect.stringMatching(/^(https:|\/)/);
    const { realm_bots: bots } = (await alice.post('/register')) as { realm_bots: Answer[] };
    expect(bots.find((each) => each['user_id'] === helper.id)).toMatchObject({
      avatar_url,
      full_name: 'Helper Bot',
    });
    const wanted = { event_types: ['realm_bot'] };
    const clients = [
      new Client(olivia, await register(olivia, wanted)),
      new Client(alice, await register(alice)),
      new Client(bob, await register(bob, wanted)),
    ];
    const told = async (change: Promise<Answer>) => {
      const answer = await change;
      const events = await Promise.all(clients.map((client) => client.next()));
      const ofBots = events.map((list) => list.filter(({ type }) => type === 'realm_bot'));
      return { answer, events: ofBots.map((list) => list.map(({ op, bot }) => ({ op, bot }))) };
    };
    const update = (changed: Answer) => ({ op: 'update', bot: { user_id: helper.id, ...changed } });
    const key = await told(alice.post(`/bots/${helper.id}/api_key/regenerate`));
    const { api_key } = key.answer;
    expect(key.events).toEqual([[update({ api_key })], [update({ api_key })], []]);
    const name = update({ full_name: 'Handy Bot' });
    await expect(told(alice.patch(`/bots/${helper.id}`, { full_name: 'Handy Bot' }))).resolves.toMatchObject({
      events: [[name], [name], []],
    });
    await expect(told(olivia.patch(`/bots/${helper.id}`, { bot_owner_id: bob.id }))).resolves.toMatchObject({
      events: [
        [update({ owner_id: bob.id })],
        [{ op: 'delete', bot: { user_id: helper.id } }],
        [{ op: 'add', bot: { user_id: helper.id, owner_id: bob.id, avatar_url } }],
      ],
    });
    const end = update({ is_active: false });
    await expect(told(bob.delete(`/bots/${helper.id}`))).resolves.toMatchObject({
      events: [[end], [], [end]],
    });
    const bot = { full_name: 'New', owner_id: olivia.id, avatar_url };
    await expect(told(olivia.post('/bots', { full_name: 'New', short_name: 'new' }))).resolves.toMatchObject({
      events: [[{ op: 'add', bot }], [], []],
    });
    expect(clients[0]?.types).toEqual(new Set(['realm_bot']));
  });

  it('tells of a bot to who administered it then, however late they ask', async () => {
    const helper = parley.as('helper');
    const wanted = { event_types: ['realm_bot'] };
    const queues = [await register(alice, wanted), await register(bob, wanted)];
    await alice.patch(`/bots/${helper.id}`, { full_name: 'Handy Bot' });
    await olivia.patch(`/bots/${helper.id}`, { bot_owner_id: bob.id });
    await olivia.patch(`/users/${bob.id}`, { role: 200 });
    const told = async (person: TestPerson, queue = '') =>
      (await eventsOf(person, queue))
        .filter(({ type }) => type === 'realm_bot')
        .map(({ op, bot }) => ({ op, bot }));
    await expect(told(alice, queues[0])).resolves.toEqual([
      { op: 'update', bot: { user_id: helper.id, full_name: 'Handy Bot' } },
      { op: 'delete', bot: { user_id: helper.id } },
    ]);
    const [first, ...others] = await told(bob, queues[1]);
    expect(first).toEqual({
      op: 'add',
      bot: expect.objectContaining({ user_id: helper.id, owner_id: bob.id }),
    });
    // As an administrator he gets the other bots, as they are by then.
    expect(new Set(others.map(({ op }) => op))).toEqual(new Set(['add']));
  });

  it('tells of the picture and owner of a bot before, and of its name and end after everybody is told', async () => {
    const helper = parley.as('helper');
    const queue = await register(olivia, { event_types: ['realm_bot', 'realm_user'] });
    await alice.patch(`/bots/${helper.id}`, { full_name: 'Handy Bot' });
    await olivia.patch(`/bots/${helper.id}`, { bot_owner_id: bob.id });
    await bob.delete(`/bots/${helper.id}`);
    const told = (await eventsOf(olivia, queue)).map(({ type, bot, person }) => [
      type,
      Object.keys((bot ?? person) as Answer).filter((key) => key !== 'user_id'),
    ]);
    expect(told).toEqual([
      ['realm_user', ['full_name']],
      ['realm_bot', ['full_name']],
      ['realm_bot', ['owner_id']],
      ['realm_user', ['bot_owner_id']],
      ['realm_user', ['is_active']],
      ['realm_bot', ['is_active']],
    ]);
  });

  it('tells a bot that changes its key no other way', async () => {
    const helper = parley.as('helper');
    const queue = await register(alice, { event_types: ['realm_bot'] });
    const { api_key: key } = await helper.post('/users/me/api_key/regenerate');
    await bob.post('/users/me/api_key/regenerate');
    await expect(eventsOf(alice, queue)).resolves.toMatchObject([
      { type: 'realm_bot', op: 'update', bot: { user_id: helper.id, api_key: key } },
    ]);
  });

  it('has personal settings at the top of the state for clients that do not know their object', async () => {
    const state = await alice.post('/register');
    const settings = state['user_settings'] as Answer;
    const keys = Object.keys(settings).filter((key) => key in state);
    expect(keys).toHaveLength(36);
    for (const key of keys) expect({ [key]: state[key] }).toEqual({ [key]: settings[key] });
    expect(keys).toEqual(
      expect.arrayContaining([
        'enter_sends',
        'emojiset_choices',
        'timezone',
        'available_notification_sounds',
      ]),
    );
    const client_capabilities = { notification_settings_null: true, user_settings_object: true };
    const newer = await alice.post('/register', { client_capabilities });
    expect(keys.filter((key) => key in newer)).toEqual([]);
    const display = await alice.post('/register', { fetch_event_types: ['update_display_settings'] });
    expect(display).toMatchObject({ enter_sends: settings['enter_sends'] });
    expect(display).not.toHaveProperty('user_settings');
    expect(display).not.toHaveProperty('enable_sounds');
  });

  it('leaves open what subscriptions say of wildcard mentions, whatever the client declares', async () => {
    const { subscriptions } = (await alice.post('/register')) as { subscriptions: Answer[] };
    expect(subscriptions[0]).toMatchObject({ wildcard_mentions_notify: null, push_notifications: false });
  });

  it('has no keys that came later, or are of Parley alone', async () => {
    const state = await alice.post('/register');
    for (const key of ['can_subscribe_other_users', 'realm_rendered_description', 'user_upload_quota_mib'])
      expect(state).not.toHaveProperty(key);
    expect(state).toHaveProperty('realm_upload_quota_mib');
    await expect(alice.get('/attachments')).resolves.not.toHaveProperty('user_upload_space_used');
    await expect(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'lobby' }] }),
    ).resolves.not.toHaveProperty('new_subscription_messages_sent');
  });

  it('takes words for the retention of channels as JSON strings alone', async () => {
    const attic = await newChannel(olivia, 'attic');
    const refusal = badRequest('message_retention_days["json[str]"] is not valid JSON');
    const change = (value: unknown) => olivia.patch(`/streams/${attic}`, { message_retention_days: value });
    const create = (value: unknown) =>
      newChannel(olivia, `cellar ${String(value)}`, { message_retention_days: value });
    for (const word of ['realm_default', 'unlimited']) {
      for (const ask of [change, create]) {
        await expect(refusalOf(ask(word) as Promise<Answer>)).resolves.toEqual(refusal);
        await ask(JSON.stringify(word));
      }
    }
    await change(30);
  });

  it('finds channels by name for their readers alone, not for who made them', async () => {
    const subscriptions = [{ name: 'closed' }];
    await alice.post('/users/me/subscriptions', { subscriptions, principals: [bob.id], invite_only: true });
    await expect(refusalOf(alice.get('/get_stream_id', { stream: 'closed' }))).resolves.toEqual(
      badRequest("Invalid channel name 'closed'"),
    );
    await expect(channel('closed', bob)).resolves.toEqual(expect.any(Number));
  });

  it('links to the oldest message of a topic', async () => {
    const oldest = await alice.send({ channel: 'lobby', topic: 'soup', content: 'first' });
    await alice.send({ channel: 'lobby', topic: 'soup', content: 'second' });
    const { rendered } = await bob.post('/messages/render', { content: '#**lobby>soup** #**lobby>none**' });
    expect(rendered).toMatch(new RegExp(`/topic/soup/with/${oldest}".*/topic/none"`));
    const id = await bob.send({ channel: 'lobby', topic: 'links', content: '#**lobby>soup**' });
    const { message } = (await alice.get(`/messages/${id}`)) as { message: Answer };
    expect(message['content']).toContain(`/topic/soup/with/${oldest}"`);
  });

  it('does not tell that somebody signs in for the first time', async () => {
    const account = { email: 'new@example.com', password: 'Sb8%Qz4!Lw', full_name: 'New' };
    const { user_id: id } = await olivia.post('/users', account);
    const queue = await register(olivia, { event_types: ['realm_user'] });
    const answer = await fetch(`${parley.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: account.email, password: account.password }),
    });
    expect(answer.status).toBe(200);
    await olivia.patch(`/users/${String(id)}`, { full_name: 'Newer' });
    const persons = (await eventsOf(olivia, queue)).flatMap(({ person }) => (person ? [person] : []));
    expect(persons).toEqual([{ user_id: id, full_name: 'Newer' }]);
  });
});

describe("today's test server", () => {
  startAt();

  it('has archiving for administrators, one missing channel, and the messages that changed', async () => {
    const mine = await newChannel(alice, 'mine');
    await expect(refusalOf(alice.delete(`/streams/${mine}`))).resolves.toMatchObject({
      answer: { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' },
    });
    await expect(
      refusalOf(bob.delete('/users/me/subscriptions', { subscriptions: ['nowhere', 'neither'] })),
    ).resolves.toMatchObject({ answer: { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' } });
    const id = await alice.send({ channel: 'lobby', topic: 'a', content: 'x' });
    const answer = await alice
      .post('/messages/flags', { messages: [id, 987_654], op: 'add', flag: 'starred' })
      .catch((error: unknown) => (error as ParleyError).answer);
    expect(answer).not.toHaveProperty('ignored_because_not_subscribed_channels');
    await expect(olivia.get('/users/me')).resolves.toMatchObject({ bot_type: null, bot_owner_id: null });
    await olivia.patch(`/streams/${mine}`, { message_retention_days: 'unlimited' });
  });

  it('links to the newest message of a topic', async () => {
    await alice.send({ channel: 'lobby', topic: 'soup', content: 'first' });
    const newest = await alice.send({ channel: 'lobby', topic: 'soup', content: 'second' });
    const { rendered } = await bob.post('/messages/render', { content: '#**lobby>soup**' });
    expect(rendered).toContain(`/topic/soup/with/${newest}"`);
  });
});
