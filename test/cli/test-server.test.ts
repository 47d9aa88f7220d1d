import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { startParley, type Parley, type TestPerson } from '../../src/testing';
import { CommandLine } from '../support/command-line';
import { compiledServer } from '../support/compiled-server';
import { TestApp } from '../support/test-app';

// Processes take their time where other tests run beside.
jest.setTimeout(240_000);

/** Everything that clients are told when they register, without what names the queue and the process. */
async function stateFor(person: TestPerson): Promise<object> {
  const { queue_id, last_event_id, server_timestamp, server_generation, ...state } =
    await person.post('/register');
  expect([queue_id, last_event_id, server_timestamp, server_generation]).not.toContain(undefined);
  return state;
}

describe('the test server', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await startParley({ inProcess: true });
  });

  beforeEach(() => parley.reset());

  afterAll(() => parley.stop());

  it('has a cast in every role, with passwords that are easy to guess', async () => {
    const roles = Object.entries(parley.people).map(([name, { role, bot_type }]) => [name, role, bot_type]);
    expect(roles).toEqual([
      ['olivia', 100, null],
      ['adam', 200, null],
      ['mona', 300, null],
      ['alice', 400, null],
      ['bob', 400, null],
      ['gus', 600, null],
      ['helper', 400, 1],
      ['alerts', 400, 2],
      ['caller', 400, 3],
    ]);
    const alice = parley.as('alice');
    await expect(
      alice.post('/fetch_api_key', { username: 'alice@example.com', password: 'test' }),
    ).resolves.toMatchObject({ api_key: alice.apiKey });
    await expect(
      alice.patch('/settings', { old_password: 'test', new_password: 'a' }),
    ).resolves.toMatchObject({
      result: 'success',
    });
    expect(() => parley.as('nobody')).toThrow('There is no "nobody" here, but olivia, adam');
  });

  it('lets the cast sign in with a browser', async () => {
    const signIn = (password: string) =>
      fetch(`${parley.url}/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: parley.url },
        body: new URLSearchParams({ username: 'alice@example.com', password }),
      });
    const { status, headers } = await signIn('test');
    expect([status, headers.get('location')]).toEqual([302, '/']);
    const [cookie = ''] = headers.getSetCookie();
    const me = await fetch(`${parley.url}/json/users/me`, { headers: { cookie: cookie.split(';')[0]! } });
    expect(await me.json()).toMatchObject({ result: 'success', email: 'alice@example.com' });
    expect((await signIn('tests')).status).toBe(401);
  });

  it('limits nothing', async () => {
    for (let at = 0; at < 250; at++) await parley.as('bob').get('/users/me');
    expect(await parley.journal({ path: '/users/me', status: 200 })).toHaveLength(250);
  });

  it('puts everything back that was changed', async () => {
    const [olivia, alice] = [parley.as('olivia'), parley.as('alice')];
    const before = [await stateFor(olivia), await stateFor(alice)];
    const id = await alice.send({ channel: 'lobby', topic: 'zebras', content: 'giraffe' });
    await alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await olivia.patch('/realm', { name: 'Another' });
    await olivia.post('/users', { email: 'zoe@example.com', password: 'x', full_name: 'Zoe' });
    await olivia.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] });
    await olivia.patch(`/users/${parley.people['bob']?.id}`, { role: 600 });
    await olivia.delete(`/users/${parley.people['gus']?.id}`);
    await alice.post('/users/me/presence', { status: 'active' });
    await alice.patch('/settings', { twenty_four_hour_time: true });
    await alice.post('/users/me/alert_words', { alert_words: ['lantern'] });
    await alice.post('/users/me/api_key/regenerate');
    await parley.world({ channels: [{ name: 'between', subscribers: ['*'] }] }).catch(() => undefined);
    await parley.world({});
    expect([await stateFor(olivia), await stateFor(alice)]).toEqual(before);
    // The same IDs again, and nothing to be found of what was.
    await expect(alice.send({ channel: 'lobby', topic: 'hi', content: 'lion' })).resolves.toBe(id);
    const narrow = [{ operator: 'search', operand: 'giraffe' }];
    const page = { anchor: 'newest', num_before: 10, num_after: 0 };
    await expect(alice.get('/messages', { ...page, narrow })).resolves.toMatchObject({ messages: [] });
    await expect(
      alice.get('/messages', { ...page, narrow: [{ operator: 'search', operand: 'lion' }] }),
    ).resolves.toMatchObject({ messages: [{ id }] });
  });

  it('goes back to the rows of the start, the files and the search index included', async () => {
    const [olivia, bob] = [parley.as('olivia'), parley.as('bob')];
    const state = await stateFor(olivia);
    const form = new FormData();
    form.set('file', new Blob(['hello']), 'hello.txt');
    const headers = {
      authorization: `Basic ${Buffer.from(`${bob.email}:${bob.apiKey}`).toString('base64')}`,
    };
    const sent = await fetch(`${parley.url}/api/v1/user_uploads`, { method: 'POST', headers, body: form });
    const { url } = (await sent.json()) as { url: string };
    await bob.send({ channel: 'team', topic: 'files', content: `[hello](${url})` });
    await parley.reset();
    expect(await stateFor(olivia)).toEqual(state);
    expect((await fetch(`${parley.url}${url}`, { headers })).status).toBe(404);
    await expect(bob.get('/attachments')).resolves.toMatchObject({ attachments: [], upload_space_used: 0 });
  });

  it('ends the queues of clients with a reset', async () => {
    const bob = parley.as('bob');
    const { queue_id } = await bob.post('/register', { event_types: ['message'] });
    const poll = bob.get('/events', { queue_id, last_event_id: -1 });
    await parley.as('alice').send({ channel: 'team', content: 'before', topic: 'x' });
    await expect(poll).resolves.toMatchObject({ events: [{ type: 'message' }] });
    await parley.reset();
    await expect(bob.get('/events', { queue_id, last_event_id: -1 })).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
    const next = await bob.post('/register', { event_types: ['message'] });
    const waiting = bob.get('/events', { queue_id: next['queue_id'], last_event_id: next['last_event_id'] });
    await parley.as('alice').send({ channel: 'team', content: 'after', topic: 'x' });
    const { events } = (await waiting) as { events: { message: { content: string } }[] };
    expect(events.map(({ message }) => message.content)).toEqual(['after']);
  });

  it('writes down requests, answers and events, and finds them by what they are', async () => {
    await parley.as('alice').send({ channel: 'lobby', topic: 'hi', content: '**hi**' });
    await parley
      .as('bob')
      .get('/nothing')
      .catch(() => undefined);
    await expect(parley.journal({ person: 'alcie' })).rejects.toThrow('There is no user called "alcie".');
    const { email } = parley.as('alice');
    expect(await parley.journal({ person: email })).toEqual(await parley.journal({ person: 'alice' }));
    expect(await parley.journal({ kind: 'request', person: 'alice', path: '/messages' })).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/messages',
        parameters: { to: 'lobby', content: '**hi**' },
        status: 200,
        answer: { result: 'success' },
        fault: null,
      },
    ]);
    expect(await parley.journal({ status: 404 })).toMatchObject([{ path: '/api/v1/nothing' }]);
    const [event, ...others] = await parley.journal({ type: 'message' });
    expect(others).toEqual([]);
    expect(event).toMatchObject({ kind: 'event', markdown: '**hi**', event: { message: { subject: 'hi' } } });
    expect(event?.['audience']).toContain('gus');
    expect(await parley.journal({ after: event?.id, type: 'message' })).toEqual([]);
    expect(await parley.messages()).toMatchObject([
      { channel: 'lobby', content: '**hi**', sender: 'Alice Member' },
    ]);
  });

  it('says what was sent where the expected message was not', async () => {
    await parley.as('alice').send({ channel: 'lobby', topic: 'hi', content: 'hello' });
    await expect(parley.expectMessage({ from: 'alice', content: /^hel/g })).resolves.toMatchObject({
      topic: 'hi',
    });
    await expect(parley.expectMessage({ from: 'bob' }, { withinMs: 0 })).rejects.toThrow(
      'No message with from: bob was sent. The last messages were:\n  Alice Member to lobby > hi: hello',
    );
  });

  it('makes requests fail: by path, person and client, as often as was asked', async () => {
    const [alice, bob] = [parley.as('alice'), parley.as('bob')];
    await parley.fault({
      path: '/users/*',
      person: 'alice',
      code: 'RATE_LIMIT_HIT',
      retry_after: 7,
      times: 1,
    });
    await expect(bob.get('/users/me')).resolves.toMatchObject({ result: 'success' });
    await expect(alice.get('/users/me')).rejects.toMatchObject({
      status: 429,
      answer: { code: 'RATE_LIMIT_HIT', 'retry-after': 7, result: 'error' },
    });
    await expect(alice.get('/users/me')).resolves.toMatchObject({ result: 'success' });
    const takeBack = await parley.fault({ client: 'node', method: 'GET', status: 502 });
    await expect(bob.get('/users')).rejects.toMatchObject({ status: 502 });
    await takeBack();
    await expect(bob.get('/users')).resolves.toMatchObject({ result: 'success' });
    const { queue_id } = await bob.post('/register', { event_types: ['message'] });
    await parley.fault({ path: '/events', code: 'BAD_EVENT_QUEUE_ID' });
    const poll = { queue_id, last_event_id: -1, dont_block: true };
    await expect(bob.get('/events', poll)).rejects.toMatchObject({ answer: { queue_id } });
    await parley.clearFaults();
    await expect(bob.get('/events', poll)).resolves.toMatchObject({ events: [] });
    await expect(parley.fault({ path: '/users' })).rejects.toThrow(
      'It must say what becomes of the request, with one of delay_ms, status, code, cut.',
    );
    await expect(parley.fault({ delay_ms: 1, retry_after: 1 })).rejects.toThrow(
      'it needs "status" or "code"',
    );
    await expect(parley.fault({ path: 'users', status: 500 })).rejects.toThrow('path must match');
    await expect(parley.fault({ cut: 'after', status: 500 })).rejects.toThrow('either cut or refused');
    await expect(parley.fault({ person: 'nobody', status: 500 })).rejects.toThrow(
      'There is no user called "nobody".',
    );
  });

  it('says when to come back, whatever the refusal', async () => {
    const path = '/users/me';
    for (const fault of [
      { status: 503 },
      { status: 429, code: 'RATE_LIMIT_HIT' },
      { code: 'RATE_LIMIT_HIT' },
    ]) {
      const takeBack = await parley.fault({ path, ...fault, retry_after: 7 });
      const { status, headers } = await fetch(`${parley.url}/api/v1${path}`);
      expect([status, headers.get('retry-after')]).toEqual([fault.status ?? 429, '7']);
      await takeBack();
    }
  });

  it('finds paths by patterns of any length, in no time', async () => {
    await parley.as('alice').get('/users/me');
    const amount = async (path: string) => (await parley.journal({ path })).length;
    for (const path of ['/users/me', '/api/v1/users/me', '*', '*/me', '/us*rs*', '/*/v1/*e', '/users/**me'])
      expect([path, await amount(path)]).toEqual([path, 1]);
    for (const path of ['/users', 'users/me', '/users/*/me', '/users/me*me', '/*a*a', `${'*e'.repeat(200)}q`])
      expect([path, await amount(path)]).toEqual([path, 0]);
  });

  it('cuts connections, before anything is done and after', async () => {
    const alice = parley.as('alice');
    const send = (content: string) => alice.send({ channel: 'lobby', topic: 'hi', content });
    await parley.fault({ path: '/messages', cut: 'before', times: 1 });
    await expect(send('lost')).rejects.toThrow('fetch failed');
    await parley.fault({ path: '/messages', cut: 'after', times: 1 });
    await expect(send('kept')).rejects.toThrow('fetch failed');
    await parley.fault({ path: '/messages', delay_ms: 30, times: 1 });
    await send('late');
    expect((await parley.messages()).map(({ content }) => content)).toEqual(['kept', 'late']);
    await parley.settled();
    expect(
      (await parley.journal({ path: '/messages' })).map(({ cut, fault }) => [cut, typeof fault]),
    ).toEqual([
      ['before', 'number'],
      ['after', 'number'],
      [null, 'number'],
    ]);
  });

  it('plays a restart, of which clients are told', async () => {
    const bob = parley.as('bob');
    const { queue_id, last_event_id } = await bob.post('/register', { event_types: ['restart'] });
    const poll = bob.get('/events', { queue_id, last_event_id }).catch((error: Error) => error.message);
    await untilOneWaits(parley);
    await parley.restart();
    await expect(poll).resolves.toBe('fetch failed');
    await expect(bob.get('/events', { queue_id, last_event_id })).resolves.toMatchObject({
      events: [{ type: 'restart' }],
    });
  });

  it('has a time that can be stopped and moved, and does what is due then', async () => {
    const alice = parley.as('alice');
    const { now_ms } = await parley.clock.stop();
    const id = await alice.send({ channel: 'lobby', topic: 'hi', content: 'hello' });
    await alice.post('/scheduled_messages', {
      type: 'channel',
      to: parley.people['alice'] && (await alice.get('/get_stream_id', { stream: 'team' }))['stream_id'],
      topic: 'later',
      content: 'in an hour',
      scheduled_delivery_timestamp: Math.floor(now_ms / 1000) + 3_600,
    });
    const { queue_id, last_event_id } = await alice.post('/register', { event_types: ['typing'] });
    const heartbeat = alice.get('/events', { queue_id, last_event_id });
    await untilOneWaits(parley);
    await parley.clock.advance(3_601_000);
    await expect(heartbeat).resolves.toMatchObject({ events: [{ type: 'heartbeat' }] });
    await expect(parley.expectMessage({ content: 'in an hour' })).resolves.toMatchObject({ channel: 'team' });
    await expect(alice.patch(`/messages/${id}`, { content: 'too late' })).rejects.toThrow('time limit');
    await expect(parley.clock.set('2030-01-01T00:00:00Z')).resolves.toEqual({
      now: '2030-01-01T00:00:00.000Z',
      now_ms: 1_893_456_000_000,
      is_stopped: true,
    });
    await expect(parley.clock.set('soon')).rejects.toThrow('"soon" is no time');
    await parley.reset();
    const { now_ms: now, is_stopped } = await parley.clock.now();
    expect([is_stopped, Math.abs(now - Date.now()) < 60_000]).toEqual([false, true]);
  });

  it('is settled once webhooks and bots have done what followed', async () => {
    const webhook = createServer((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify({ content: 'pong' })));
    }).listen(0, '127.0.0.1');
    await once(webhook, 'listening');
    const { port } = webhook.address() as AddressInfo;
    await parley.as('alice').patch(`/bots/${parley.people['caller']?.id}`, {
      service_payload_url: `http://127.0.0.1:${port}/`,
    });
    const bot = parley.as('helper');
    const { queue_id, last_event_id } = await bot.post('/register', { event_types: ['message'] });
    const replies = answerOnce(bot, String(queue_id), Number(last_event_id));
    await parley.as('bob').send({ to: [parley.people['caller']?.id ?? 0], content: 'ping' });
    await parley.as('bob').send({ to: [parley.people['helper']?.id ?? 0], content: 'ping' });
    await parley.settled();
    expect((await parley.messages()).map(({ sender, content }) => `${sender}: ${content}`).sort()).toEqual([
      'Bob Member: ping',
      'Bob Member: ping',
      'Caller Bot: pong',
      'Helper Bot: pang',
    ]);
    expect(await parley.journal({ kind: 'webhook' })).toMatchObject([
      { person: 'caller', status: 200, answer: { content: 'pong' }, body: { data: 'ping' }, failure: null },
    ]);
    webhook.close();
    // Ends the queue at which the bot waits.
    await parley.reset();
    await replies;
  });

  it('acts as anybody, also as those who came later', async () => {
    await parley.as('olivia').post('/users', { email: 'zoe@example.com', password: 'x', full_name: 'Zoe' });
    const zoe = await parley.find('zoe@example.com');
    await expect(zoe.get('/users/me')).resolves.toMatchObject({ full_name: 'Zoe' });
    await expect(
      parley.actAs('gus', 'POST', '/messages', { type: 'channel', to: 'team', topic: 'x', content: 'x' }),
    ).resolves.toMatchObject({ status: 400, body: { result: 'error' } });
    await expect(parley.find('nobody@example.com')).rejects.toThrow('There is no user called');
  });

  it('takes nothing from pages that a browser shows', async () => {
    const ask = (origin: string) => fetch(`${parley.url}/test/people`, { headers: { origin } });
    expect((await ask('https://example.com')).status).toBe(400);
    expect((await ask('http://localhost:3000')).status).toBe(200);
  });

  describe('with a world', () => {
    afterAll(() => parley.world({}));

    it('goes back to the world, with everything in it', async () => {
      await parley.world({
        people: [{ name: 'zoe', full_name: 'Zoe Zimmer', role: 'moderator' }],
        bots: [{ name: 'parrot', owner: 'zoe' }],
        groups: [{ name: 'crew', members: ['zoe', 'bob'] }],
        channels: [{ name: 'ship', private: true, subscribers: ['zoe', 'parrot'] }],
        messages: [
          {
            sender: 'zoe',
            channel: 'ship',
            topic: 'log',
            content: 'ahoy',
            sent_at: '2026-02-03T04:05:06Z',
            reactions: [{ emoji: 'tada', by: 'parrot' }],
          },
          { sender: 'bob', to: ['zoe'], content: 'hello' },
        ],
        settings: { name: 'The ship' },
      });
      const zoe = parley.as('zoe');
      const key = zoe.apiKey;
      const page = {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: 'ship' }],
      };
      const ahoy = { content: '<p>ahoy</p>', timestamp: 1_770_091_506, reactions: [{ emoji_name: 'tada' }] };
      for (let round = 0; round < 2; round++) {
        const { messages } = (await zoe.get('/messages', page)) as { messages: object[] };
        expect(messages.at(-1)).toMatchObject(ahoy);
        await zoe.send({ channel: 'ship', topic: 'log', content: 'gone after the reset' });
        await parley.reset();
      }
      expect(parley.as('zoe').apiKey).toBe(key);
      await expect(zoe.get('/server_settings')).resolves.toMatchObject({ realm_name: 'The ship' });
    });

    it('refuses one that cannot be, with the place of the mistake', async () => {
      await expect(parley.world({ people: [{ name: 'bob' }] })).rejects.toThrow(/people\[0\]: .+/);
      await expect(
        parley.world({ messages: [{ sender: 'gus', to: ['nobody'], content: 'x' }] }),
      ).rejects.toThrow('messages[0]: There is no user called "nobody".');
      await expect(
        parley.world({ channels: [{ name: 'sea', subscribers: ['*', 'nobody'] }] }),
      ).rejects.toThrow('channels[0]: There is no user called "nobody".');
      // As a short name it would be somebody's ID.
      await expect(parley.world({ people: [{ name: '5', full_name: 'Five' }] })).rejects.toThrow(
        'people[0].name must match',
      );
      await expect(parley.world({ peoples: [] })).rejects.toThrow('it has no "peoples"');
      await expect(parley.world({ settings: { nickname: 'Sea' } })).rejects.toThrow(
        'settings: There is no setting "nickname".',
      );
      await expect(parley.world({ people: [{ name: 'zoe', role: 'king' as 'owner' }] })).rejects.toThrow(
        'people[0].role must be owner or administrator or moderator or member or guest',
      );
    });
  });
});

/** Resolves once a client waits for events. */
async function untilOneWaits({ url }: Parley): Promise<void> {
  for (;;) {
    const figures = await (await fetch(`${url}/metrics`)).text();
    if (/^parley_parked_polls 1$/m.test(figures)) return;
    await pause(10);
  }
}

/** A bot as bots are: it waits for a message, answers, and waits again. */
async function answerOnce(bot: TestPerson, queueId: string, lastEventId: number): Promise<void> {
  const poll = (after: number) =>
    bot.get('/events', { queue_id: queueId, last_event_id: after }) as Promise<{
      events?: readonly { id: number; message?: { sender_id: number; sender_full_name: string } }[];
    }>;
  const { events = [] } = await poll(lastEventId);
  await bot.send({ to: [events[0]?.message?.sender_id ?? 0], content: 'pang' });
  const after = events.at(-1)?.id ?? lastEventId;
  // Its own message, and then nothing until the queue ends.
  await poll(after)
    .then(({ events: own = [] }) => poll(own.at(-1)?.id ?? after))
    .catch(() => undefined);
}

describe('parley test', () => {
  /** The program as it is installed. */
  const installed = () =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- compiled a moment ago
    require(join(dirname(compiledServer()), 'testing/index.js')) as typeof import('../../src/testing');

  it('runs beside the tests, with the same keys every time', async () => {
    const first = await installed().startParley();
    const { people } = first;
    expect(new URL(first.url).hostname).toBe('127.0.0.1');
    await expect(first.as('alice').get('/users/me')).resolves.toMatchObject({ full_name: 'Alice Member' });
    await expect(installed().startParley({ port: Number(new URL(first.url).port) })).rejects.toThrow(
      /Port \d+ on 127\.0\.0\.1 is in use/,
    );
    await first.stop();
    const world = { people: [{ name: 'zoe' }] };
    const second = await installed().startParley({ world });
    expect(second.people).toMatchObject(people);
    await expect(second.as('zoe').get('/users/me')).resolves.toMatchObject({ email: 'zoe@example.com' });
    await second.stop();
    await expect(fetch(second.url)).rejects.toThrow('fetch failed');
    await expect(installed().startParley({ world: { people: 1 } })).rejects.toThrow('must be array');
    await expect(startParley({ level: 300, inProcess: true })).rejects.toThrow(
      'No release has the level 300, but 237, 278, 372, 421, 496, 497.',
    );
  });

  /** The process of a server, once it listens. */
  async function startProcess(home: string) {
    const program = join(dirname(compiledServer()), 'cli/main.js');
    const child = spawn(process.execPath, [program, 'test', '--with-input'], {
      env: { ...process.env, HOME: home },
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, url: (JSON.parse(line) as { url: string }).url };
  }

  it('keeps what was compiled for later starts, and leaves it as it is while the program is the same', async () => {
    const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
    const kept = join(home, '.cache/parley/test-server');
    const states: string[][] = [];
    for (let start = 0; start < 3; start++) {
      const { child, url } = await startProcess(home);
      expect((await fetch(`${url}/api/v1/server_settings`)).status).toBe(200);
      child.stdin.end();
      await once(child, 'exit');
      const files = readdirSync(kept).filter((name) => name.endsWith('.code'));
      states.push(files.map((name) => `${name} ${statSync(join(kept, name)).mtimeMs}`));
    }
    expect(states[0]).toHaveLength(1);
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
    rmSync(home, { recursive: true });
  });

  it('removes the folder of a server that was killed', async () => {
    const place = process.platform === 'linux' && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
    const { child } = await startProcess(home);
    const foldersOf = () => readdirSync(place).filter((name) => name.includes(`-${child.pid}-`));
    expect(foldersOf()).toHaveLength(1);
    const running = await installed().startParley();
    expect(foldersOf()).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(foldersOf()).toHaveLength(1);
    await running.stop();
    await (await installed().startParley()).stop();
    expect(foldersOf()).toEqual([]);
    rmSync(home, { recursive: true });
  });

  it('refuses what it does not understand', async () => {
    const line = new CommandLine({});
    await expect(line.run(['test', '--port', '70000'])).resolves.toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('Use a whole number up to 65535.'),
    });
    await expect(line.run(['test', '--world', '/nowhere.json'])).resolves.toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('no such file'),
    });
  });
});

describe('any other server', () => {
  it('has no test interface, whatever its environment says', async () => {
    const app = await TestApp.start({ env: { SERVER_MODE: 'development' } });
    const routes = ['people', 'reset', 'settle', 'journal', 'faults', 'clock', 'world', 'act-as', 'restart'];
    for (const route of routes) {
      for (const method of ['GET', 'POST'] as const) {
        const { statusCode } = await app.nest.inject({
          method,
          url: `/test/${route}`,
          headers: { host: 'localhost' },
        });
        expect([route, method, statusCode]).toEqual([route, method, 404]);
      }
    }
    await app.stop();
  });
});
