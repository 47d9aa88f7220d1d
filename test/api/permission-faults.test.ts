import { Role } from '../../src/platform/actor';
import { changeAccount, apiKeyOf } from '../support/account-setup';
import type { Answer, ApiClient } from '../support/api-client';
import type { Member } from '../support/cast';
import { addSubscriber, channelId, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { TestQueue } from '../support/test-queue';
import { load, upload } from '../support/upload-setup';

/** The classical faults of authorisation, by name; `test/spec/permission-matrix.tsv` is the systematic part. */

let app: TestApp;
let names = 0;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const PRIVATE = { invite_only: true, history_public_to_subscribers: true };
const PROTECTED = { invite_only: true, history_public_to_subscribers: false };

/** A channel of Mia's with nobody else, whose name says nothing. */
function newChannel(options: object = {}, members: readonly Member[] = []): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `room${++names}`, { ...options, principals });
}

const nameOf = async (id: number) =>
  expectSuccess(await app.as(app.cast.olivia).get(`/streams/${id}`)).stream.name as string;

const leave = async (who: Member, channel: number) =>
  expectSuccess(
    await app.as(who).delete('/users/me/subscriptions', { subscriptions: [await nameOf(channel)] }),
  );

/** A bot of somebody's. */
const addBotOf = (owner: Member, name: string, botType = 1) =>
  app.addAccount({
    deliveryEmail: `${name}-bot@example.com`,
    fullName: name,
    role: Role.member,
    isBot: true,
    botType,
    botOwnerId: owner.id,
  });

/** A person who is nobody else. */
const addPerson = (name: string, role: Role = Role.member) =>
  app.addAccount({ deliveryEmail: `${name}@example.com`, fullName: name, role });

const inChannel = (channel: number) => [{ operator: 'channel', operand: channel }];

describe('A private channel is a secret', () => {
  /** Words that stand nowhere but in the channel. */
  const WORDS = ['zanzibar', 'quetzalcoatl', 'wolpertinger', 'bebop', 'xylophone', 'fandango'];
  const [NAME = '', DESCRIPTION = '', TOPIC = '', CONTENT = '', FILE = '', LATER = ''] = WORDS;
  let channel: number;
  let message: number;
  let file: string;
  let helper: Member;

  beforeAll(async () => {
    const { mia, max, olivia } = app.cast;
    helper = await addBotOf(max, 'helper');
    await createChannel(app, mia, NAME, {
      ...PRIVATE,
      subscriptions: [{ name: NAME, description: DESCRIPTION }],
    });
    channel = await channelId(app, NAME);
    file = await upload(app, mia, { name: `${FILE}.txt`, content: FILE });
    message = await sendTo(app, mia, channel, TOPIC, `${CONTENT} [${FILE}](${file})`);
    await makeGroup(app, olivia, 'readers', { members: [mia.id] });
  });

  const outsiders = (): Record<string, Member | null> => {
    const { mona, max, gus } = app.cast;
    return { mona, max, gus, helper, nobody: null };
  };
  const callerOf = (who: Member | null): ApiClient => (who ? app.as(who) : app.client());

  /** Fails if the answer tells any of the words, but those that the caller sent. */
  function expectSilence(answer: Answer, asked: string): void {
    const text = Buffer.isBuffer(answer.body) ? answer.body.toString() : JSON.stringify(answer.body);
    const told = WORDS.filter((word) => text.includes(word) && !asked.includes(word));
    expect({ asked, told }).toEqual({ asked, told: [] });
  }

  it('that its subscribers know', async () => {
    const { mia } = app.cast;
    const texts = [
      await app.as(mia).get(`/messages/${message}`),
      await app.as(mia).get('/users/me/subscriptions'),
      await load(app, mia, file),
    ].map(({ body }) => (Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)));
    for (const word of [NAME, DESCRIPTION, TOPIC, CONTENT, FILE]) expect(texts.join()).toContain(word);
  });

  const narrows = () => [
    [],
    inChannel(channel),
    [{ operator: 'channel', operand: NAME }],
    [{ operator: 'channel', operand: channel, negated: true }],
    [{ operator: 'topic', operand: TOPIC }],
    [{ operator: 'id', operand: message }],
    [{ operator: 'near', operand: message }],
    [{ operator: 'with', operand: message }],
    [{ operator: 'sender', operand: app.cast.mia.id }],
    [{ operator: 'has', operand: 'attachment' }],
    [{ operator: 'has', operand: 'link' }],
    [{ operator: 'channels', operand: 'public' }],
    [{ operator: 'channels', operand: 'web-public' }],
    [{ operator: 'search', operand: CONTENT }],
    [{ operator: 'is', operand: 'starred' }],
    [{ operator: 'is', operand: 'mentioned' }],
  ];

  it.each(['mona', 'max', 'gus', 'helper', 'nobody'])('to %s, whatever is read', async (who) => {
    const client = callerOf(outsiders()[who] ?? null);
    const { mia } = app.cast;
    const web = who === 'nobody' ? [{ operator: 'channels', operand: 'web-public' }] : [];
    for (const narrow of narrows()) {
      for (const anchor of ['newest', 'oldest', 'first_unread', `${message}`]) {
        const answer = await client.get('/messages', {
          anchor,
          num_before: 5,
          num_after: 5,
          narrow: [...narrow, ...web],
        });
        expectSilence(answer, JSON.stringify(narrow));
      }
    }
    for (const path of [
      `/messages/${message}`,
      `/messages/${message}/read_receipts`,
      `/messages/${message}/history`,
      `/streams/${channel}`,
      `/streams/${channel}/members`,
      `/streams/${channel}/email_address`,
      `/users/me/${channel}/topics`,
      `/users/${mia.id}`,
      `/users/${mia.id}/subscriptions/${channel}`,
      ...['/users', '/users/me', '/users/me/subscriptions', '/streams', '/attachments', '/user_groups'],
      ...['/channel_folders', '/bots', '/realm/emoji', '/realm/linkifiers', '/realm/profile_fields'],
      ...['/streams?include_all=true&exclude_archived=false', '/streams?include_all_active=true'],
      '/streams?include_web_public=true&include_default=true&include_owner_subscribed=true',
      '/users/me/subscriptions?include_subscribers=true',
      `/messages?message_ids=[${message}]`,
      `/messages/matches_narrow?msg_ids=[${message}]&narrow=[]`,
      `/permissions/explain?user_id=${mia.id}&action=send_message&channel_id=${channel}`,
    ]) {
      expectSilence(await client.get(path), path);
    }
    expectSilence(await load(app, outsiders()[who] ?? null, file), file);
  });

  it.each(['mona', 'max', 'gus', 'helper'])('to %s, whatever is written', async (who) => {
    const client = callerOf(outsiders()[who]!);
    const { mia } = app.cast;
    const calls: [string, string, object][] = [
      ['post', '/messages', { type: 'channel', to: channel, topic: 'x', content: 'x' }],
      ['post', '/messages/render', { content: `#**${channel}** #**${NAME}**` }],
      ['post', '/messages/flags', { messages: [message], op: 'add', flag: 'starred' }],
      ['post', '/messages/flags', { messages: [message], op: 'remove', flag: 'read' }],
      ['post', '/messages/flags/narrow', flagged(inChannel(channel))],
      ['post', '/mark_stream_as_read', { stream_id: channel }],
      ['post', '/mark_topic_as_read', { stream_id: channel, topic_name: 'x' }],
      ['post', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
      ['delete', `/messages/${message}/reactions`, { emoji_name: 'tada' }],
      ['patch', `/messages/${message}`, { content: 'x' }],
      ['patch', `/messages/${message}`, { topic: 'x' }],
      ['delete', `/messages/${message}`, {}],
      ['post', `/messages/${message}/typing`, { op: 'start' }],
      ['post', '/typing', { type: 'channel', stream_id: channel, topic: 'x', op: 'start' }],
      ['patch', `/streams/${channel}`, { description: 'x' }],
      ['patch', `/streams/${channel}`, { is_private: false }],
      ['delete', `/streams/${channel}`, {}],
      ['post', `/streams/${channel}/delete_topic`, { topic_name: 'x' }],
      ['post', '/default_streams', { stream_id: channel }],
      ['post', '/user_topics', { stream_id: channel, topic: 'x', visibility_policy: 1 }],
      ['patch', '/users/me/subscriptions/muted_topics', { stream_id: channel, topic: 'x', op: 'add' }],
      ['patch', `/users/me/subscriptions/${channel}`, { property: 'pin_to_top', value: true }],
      ['post', '/users/me/subscriptions', { subscriptions: [{ name: NAME }] }],
      [
        'post',
        '/users/me/subscriptions',
        { subscriptions: [{ name: NAME }], authorization_errors_fatal: false },
      ],
      ['delete', '/users/me/subscriptions', { subscriptions: [NAME], principals: [mia.id] }],
      ['delete', '/users/me/subscriptions', { subscriptions: [NAME] }],
    ];
    for (const [verb, path, parameters] of calls) {
      const answer = await client.call(verb.toUpperCase() as 'POST', path, { ...parameters });
      expectSilence(answer, JSON.stringify(parameters));
    }
    await expect(fetchIds(app, mia, inChannel(channel))).resolves.toContain(message);
  });

  const flagged = (narrow: object) => ({
    ...{ anchor: 'newest', num_before: 100, num_after: 0 },
    ...{ narrow, op: 'add', flag: 'starred' },
  });

  it.each(['mona', 'max', 'gus', 'helper', 'nobody'])(
    'to %s, who registers and follows events',
    async (who) => {
      const { mia, adam } = app.cast;
      const client = callerOf(outsiders()[who] ?? null);
      const everything = {
        fetch_event_types: undefined,
        include_subscribers: true,
        client_capabilities: {
          notification_settings_null: true,
          archived_channels: true,
          stream_typing_notifications: true,
          bulk_message_deletion: true,
        },
      };
      expectSilence(await client.post('/register', everything), '');
      if (who === 'nobody') return;
      const queues = [
        await TestQueue.register(client, everything),
        await TestQueue.register(client, { narrow: [['channel', NAME]] }),
        ...(who === 'gus' ? [] : [await TestQueue.register(client, { all_public_streams: true })]),
      ];
      const as = app.as(mia);
      const later = await sendTo(
        app,
        mia,
        channel,
        LATER,
        `${CONTENT} @**all** @**Max Member** @**Gus Guest**`,
      );
      expectSuccess(await as.post(`/messages/${later}/reactions`, { emoji_name: 'tada' }));
      expectSuccess(
        await as.post('/typing', { type: 'channel', stream_id: channel, topic: LATER, op: 'start' }),
      );
      expectSuccess(await as.patch(`/streams/${channel}`, { description: `${DESCRIPTION} ${who}` }));
      await addSubscriber(app, mia, channel, adam);
      await leave(adam, channel);
      expectSuccess(
        await app
          .as(adam)
          .delete(`/messages/${later}`)
          .then(async (answer) => {
            // Administrators delete what they see; Mia may delete her own.
            return answer.status === 200 ? answer : as.delete(`/messages/${later}`);
          }),
      );
      for (const queue of queues) {
        const events = await queue.events();
        expect(events.map(({ type }) => type)).not.toContain('message');
        expectSilence({ status: 200, headers: {}, body: events }, '');
      }
    },
  );
});

describe('Access ends', () => {
  it('with the subscription, for queues that are open as well', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel(PRIVATE, [max]);
    const before = await sendTo(app, mia, channel, 'a', 'before');
    const queue = await TestQueue.register(app.as(max));
    await leave(max, channel);
    const after = await sendTo(app, mia, channel, 'a', 'after');
    const told = (await queue.events())
      .filter(({ type }) => type === 'message')
      .map(({ message }) => message.id);
    expect(told).not.toContain(after);
    for (const id of [before, after]) {
      expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
      await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
      await expect(fetchIds(app, max, [{ operator: 'search', operand: 'before' }])).resolves.not.toContain(
        id,
      );
    }
  });

  it('for files with the messages that linked them', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel(PRIVATE, [max]);
    const file = await upload(app, mia);
    await sendTo(app, mia, channel, 'a', `[file](${file})`);
    expect((await load(app, max, file)).status).toBe(200);
    await leave(max, channel);
    expect((await load(app, max, file)).status).toBe(403);
  });

  it('with the stars that somebody gave before', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel(PRIVATE, [max]);
    const id = await sendTo(app, mia, channel, 'a', `secret @**Max Member**`);
    expectSuccess(await app.as(max).post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    await leave(max, channel);
    for (const operand of ['starred', 'mentioned', 'unread']) {
      await expect(fetchIds(app, max, [{ operator: 'is', operand }])).resolves.not.toContain(id);
    }
    const { starred_messages } = expectSuccess(
      await app.as(max).post('/register', { fetch_event_types: ['starred_messages'] }),
    );
    expect(starred_messages).not.toContain(id);
  });

  it('when a public channel becomes private', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel();
    const id = await sendTo(app, mia, channel, 'a', 'open so far');
    expectSuccess(await app.as(max).get(`/messages/${id}`));
    expectSuccess(await app.as(app.cast.olivia).patch(`/streams/${channel}`, { is_private: true }));
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
  });

  it('with membership in the group that gave it', async () => {
    const { mia, max, olivia } = app.cast;
    const group = await makeGroup(app, olivia, 'guild', { members: [max.id] });
    const channel = await newChannel({ ...PRIVATE, can_subscribe_group: group });
    const id = await sendTo(app, mia, channel, 'a');
    expectSuccess(await app.as(max).get(`/messages/${id}`));
    expectSuccess(await app.as(olivia).post(`/user_groups/${group}/members`, { delete: [max.id] }));
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
  });

  it('with the role that gave it, from the next request on', async () => {
    const { olivia } = app.cast;
    const chief = await addPerson('chief', Role.administrator);
    const act = () => app.as(chief).patch('/realm', { description: 'by the chief' });
    expectSuccess(await act());
    expectSuccess(await app.as(olivia).patch(`/users/${chief.id}`, { role: Role.member }));
    expectError(await act(), 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    const open = await newChannel();
    expectSuccess(await app.as(chief).get(`/streams/${open}`));
    expectSuccess(await app.as(olivia).patch(`/users/${chief.id}`, { role: Role.guest }));
    expectError(await app.as(chief).get(`/streams/${open}`), 'Invalid channel ID');
  });

  it('with the account, and with a key that was replaced', async () => {
    const { olivia } = app.cast;
    const person = await addPerson('gone');
    const old = app.client({ email: person.email, apiKey: apiKeyOf(app, person) });
    expectSuccess(await old.get('/users/me'));
    expectSuccess(await app.as(person).post('/users/me/api_key/regenerate'));
    expect((await old.get('/users/me')).status).toBe(401);
    const current = app.as(person);
    expectSuccess(await app.as(olivia).delete(`/users/${person.id}`));
    const answer = await current.get('/users/me');
    expectError(answer, 'Account is deactivated', { status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('A protected history', () => {
  it('stays closed to whoever joins later, by every way to a message', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel(PROTECTED);
    const file = await upload(app, mia, { name: 'old.txt' });
    const early = await sendTo(app, mia, channel, 'early topic', `kumquat [old](${file})`);
    await addSubscriber(app, mia, channel, max);
    const late = await sendTo(app, mia, channel, 'late topic', 'kumquat');
    await expect(fetchIds(app, max, inChannel(channel))).resolves.toEqual([late]);
    for (const narrow of [
      [],
      [{ operator: 'topic', operand: 'early topic' }],
      [{ operator: 'id', operand: early }],
      [{ operator: 'search', operand: 'kumquat' }],
      [{ operator: 'has', operand: 'attachment' }],
    ]) {
      await expect(fetchIds(app, max, narrow)).resolves.not.toContain(early);
    }
    expectError(await app.as(max).get(`/messages/${early}`), 'Invalid message(s)');
    expectError(
      await app.as(max).post(`/messages/${early}/reactions`, { emoji_name: 'tada' }),
      'Invalid message(s)',
    );
    const { topics } = expectSuccess(await app.as(max).get(`/users/me/${channel}/topics`));
    expect(topics.map(({ name }: { name: string }) => name)).toEqual(['late topic']);
    expect((await load(app, max, file)).status).toBe(403);
  });

  it('keeps the gap of whoever was away', async () => {
    const { mia, max } = app.cast;
    const channel = await newChannel(PROTECTED, [max]);
    const first = await sendTo(app, mia, channel, 'a');
    await leave(max, channel);
    const meanwhile = await sendTo(app, mia, channel, 'a');
    await addSubscriber(app, mia, channel, max);
    const last = await sendTo(app, mia, channel, 'a');
    await expect(fetchIds(app, max, inChannel(channel))).resolves.toEqual([first, last]);
    expectError(await app.as(max).get(`/messages/${meanwhile}`), 'Invalid message(s)');
  });
});

describe('Messages that move', () => {
  const move = (mover: Member, id: number, to: number, mode = 'change_one') =>
    app.as(mover).patch(`/messages/${id}`, { stream_id: to, propagate_mode: mode });

  it('into a private channel are lost to everybody outside, whoever received them', async () => {
    const { mia, max, mona } = app.cast;
    const open = await newChannel({}, [max]);
    const closed = await newChannel(PRIVATE);
    const file = await upload(app, mia);
    const id = await sendTo(app, mia, open, 'a', `[moved](${file}) @**Max Member**`);
    expectSuccess(await app.as(max).post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    expectSuccess(await move(mia, id, closed));
    for (const outsider of [max, mona]) {
      for (const path of [`/messages/${id}`, `/messages/${id}/history`, `/messages/${id}/read_receipts`]) {
        expectError(await app.as(outsider).get(path), 'Invalid message(s)');
      }
      for (const narrow of [
        [],
        [{ operator: 'id', operand: id }],
        [{ operator: 'is', operand: 'starred' }],
      ]) {
        await expect(fetchIds(app, outsider, narrow)).resolves.not.toContain(id);
      }
      expect((await load(app, outsider, file)).status).toBe(403);
    }
    await expect(fetchIds(app, mia, inChannel(closed))).resolves.toContain(id);
  });

  it('into a protected history are shown to those who are there then, and not to those who come later', async () => {
    const { mia, max, mona } = app.cast;
    const open = await newChannel();
    const closed = await newChannel(PROTECTED, [max]);
    const id = await sendTo(app, mia, open, 'a', 'moved');
    expectSuccess(await move(mia, id, closed));
    await addSubscriber(app, mia, closed, mona);
    await expect(fetchIds(app, max, inChannel(closed))).resolves.toContain(id);
    await expect(fetchIds(app, mona, inChannel(closed))).resolves.not.toContain(id);
    expectError(await app.as(mona).get(`/messages/${id}`), 'Invalid message(s)');
  });

  it('with their topic take along only what the mover sees', async () => {
    const { mia, max, mona } = app.cast;
    const closed = await newChannel(PROTECTED);
    const open = await newChannel({}, [max, mona]);
    const early = await sendTo(app, mia, closed, 'a', 'not for Max');
    await addSubscriber(app, mia, closed, max);
    const late = await sendTo(app, max, closed, 'a', 'for Max');
    expectSuccess(await move(max, late, open, 'change_all'));
    expectSuccess(await app.as(mona).get(`/messages/${late}`));
    for (const outsider of [max, mona]) {
      expectError(await app.as(outsider).get(`/messages/${early}`), 'Invalid message(s)');
    }
  });

  it('go nowhere that the mover does not see, and come from nowhere either', async () => {
    const { mia, max } = app.cast;
    const closed = await newChannel(PRIVATE);
    const open = await newChannel({}, [max]);
    const hidden = await sendTo(app, mia, closed, 'a');
    const shown = await sendTo(app, max, open, 'a');
    expectError(await move(max, hidden, open), 'Invalid message(s)');
    expectError(await move(max, shown, closed), 'Invalid channel ID');
    await expect(fetchIds(app, mia, inChannel(closed))).resolves.toEqual([hidden]);
  });
});

describe('Bots', () => {
  it('read nothing of what only their owner reads', async () => {
    const { mia, max, robo } = app.cast;
    const channel = await newChannel(PRIVATE);
    const ids = [await sendTo(app, mia, channel, 'a'), await sendDirect(app, max, [mia], 'for Mia')];
    for (const id of ids) {
      expectError(await app.as(robo).get(`/messages/${id}`), 'Invalid message(s)');
      await expect(fetchIds(app, robo, [])).resolves.not.toContain(id);
    }
    expectError(await app.as(robo).get(`/streams/${channel}`), 'Invalid channel ID');
  });

  it('send under no name but their own', async () => {
    const { mia, max, robo } = app.cast;
    const message = { type: 'direct', to: [max.id], content: 'from Mia, really' };
    for (const forged of [
      { sender: mia.email },
      { sender: mia.email, forged: 'yes', client: 'irc_mirror' },
    ]) {
      const { status } = await app.as(robo).post('/messages', { ...message, ...forged });
      expect(status).toBe(400);
    }
    const { id } = expectSuccess(await app.as(robo).post('/messages', { ...message, sender_id: mia.id }), {
      ignored: ['sender_id'],
    });
    const { sender_id } = expectSuccess(await app.as(max).get(`/messages/${id}`)).message;
    expect(sender_id).toBe(robo.id);
  });

  it('change neither their owner, other bots nor themselves into more than they are', async () => {
    const { mia, robo, max } = app.cast;
    const other = await addBotOf(mia, 'other');
    const as = app.as(robo);
    for (const answer of [
      await as.patch(`/users/${mia.id}`, { full_name: 'x' }),
      await as.patch(`/users/${robo.id}`, { role: Role.owner }),
      await as.patch(`/bots/${robo.id}`, { bot_owner_id: max.id }),
      await as.patch(`/bots/${other.id}`, { full_name: 'x' }),
      await as.get(`/bots/${other.id}/api_key`),
      await as.post('/bots', { full_name: 'x', short_name: 'x' }),
      await as.patch('/settings', { full_name: 'x' }),
    ]) {
      expect(answer.status).toBe(400);
    }
  });

  it('do nothing when their owner is gone', async () => {
    const { olivia } = app.cast;
    const owner = await addPerson('leaver');
    const { user_id } = expectSuccess(
      await app.as(owner).post('/bots', { full_name: 'Left behind', short_name: 'left' }),
    );
    const bot = app.as({ id: user_id });
    expectSuccess(await bot.get('/users/me'));
    expectSuccess(await app.as(olivia).delete(`/users/${owner.id}`));
    expect((await bot.get('/users/me')).status).toBe(401);
  });

  it('of the kind that only posts do just that', async () => {
    const { max } = app.cast;
    const hook = await addBotOf(max, 'hook', 2);
    expectSuccess(await app.as(hook).post('/messages', { type: 'direct', to: [max.id], content: 'x' }));
    for (const path of [
      '/messages?anchor=newest&num_before=1&num_after=0',
      '/users',
      '/streams',
      '/users/me',
    ]) {
      expect((await app.as(hook).get(path)).status).toBe(401);
    }
  });
});

describe('Guests', () => {
  it('reach no channel that they are not in, by any way', async () => {
    const { mia, gus } = app.cast;
    const channel = await newChannel();
    const id = await sendTo(app, mia, channel, 'pavlova', 'pavlova');
    const inside = await app
      .as(gus)
      .get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow: inChannel(channel) });
    expect(inside.body).toMatchObject({ code: 'BAD_NARROW', desc: `unknown channel ${channel}` });
    for (const narrow of [
      [{ operator: 'topic', operand: 'pavlova' }],
      [{ operator: 'id', operand: id }],
      [{ operator: 'search', operand: 'pavlova' }],
      [{ operator: 'channels', operand: 'public' }],
      [{ operator: 'sender', operand: mia.id }],
    ]) {
      await expect(fetchIds(app, gus, narrow)).resolves.not.toContain(id);
    }
    for (const answer of [
      await app.as(gus).get(`/messages/${id}`),
      await app.as(gus).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
      await app.as(gus).delete(`/messages/${id}`),
    ]) {
      expectError(answer, 'Invalid message(s)');
    }
    const { status } = await app.as(gus).post('/register', { all_public_streams: true });
    expect(status).toBe(400);
  });

  it('see only the people they share something with, where the organization says so', async () => {
    const { olivia, mia, max, gus } = app.cast;
    await newChannel({}, [gus]);
    const members = expectSuccess(await app.as(olivia).get('/user_groups')).user_groups.find(
      ({ name }: { name: string }) => name === 'role:members',
    ).id;
    expectSuccess(await app.as(olivia).patch('/realm', { can_access_all_users_group: { new: members } }));
    try {
      await changeAccount(app, max, { fullName: 'Maximilian' });
      expectSuccess(await app.as(gus).get(`/users/${mia.id}`));
      for (const path of ['/users', `/users/${max.id}`, `/users/${max.email}`, `/users/${max.id}/presence`]) {
        expect(JSON.stringify((await app.as(gus).get(path)).body)).not.toContain('Maximilian');
      }
      const state = await app.as(gus).post('/register', { fetch_event_types: ['realm_user', 'presence'] });
      expect(JSON.stringify(expectSuccess(state))).not.toContain('Maximilian');
      const { rendered } = expectSuccess(
        await app.as(gus).post('/messages/render', { content: '@**Maximilian**' }),
      );
      expect(rendered).toBe('<p>@<strong>Maximilian</strong></p>');
    } finally {
      const everyone = expectSuccess(await app.as(olivia).get('/user_groups')).user_groups.find(
        ({ name }: { name: string }) => name === 'role:everyone',
      ).id;
      expectSuccess(await app.as(olivia).patch('/realm', { can_access_all_users_group: { new: everyone } }));
      await changeAccount(app, max, { fullName: max.fullName });
    }
  });
});

describe('Whoever has no account', () => {
  it('reads web-public channels and nothing else, whatever is put beside', async () => {
    const { olivia, mia } = app.cast;
    const market = await createChannel(app, olivia, 'market', { is_web_public: true, principals: [mia.id] });
    const open = await sendTo(app, mia, 'market', 'a', 'for everybody');
    const closed = await sendTo(app, mia, await newChannel(), 'a', 'for members');
    const direct = await sendDirect(app, mia, [olivia], 'for Olivia');
    const web = { operator: 'channels', operand: 'web-public' };
    await expect(fetchIds(app, null, [web])).resolves.toContain(open);
    for (const term of [
      { operator: 'id', operand: closed },
      { operator: 'id', operand: direct },
      { operator: 'with', operand: closed },
      { operator: 'channels', operand: 'public' },
      { operator: 'sender', operand: mia.id },
      { operator: 'search', operand: 'for' },
      { operator: 'is', operand: 'dm' },
    ]) {
      for (const narrow of [[term], [term, web], [web, term], [{ ...web, negated: true }, term]]) {
        const answer = await app
          .client()
          .get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
        const ids = (answer.body.messages ?? []).map(({ id }: { id: number }) => id);
        expect(ids).not.toContain(closed);
        expect(ids).not.toContain(direct);
      }
    }
    expect((await app.client().get('/messages', { message_ids: [open] })).status).not.toBe(200);
    expect((await app.client().get(`/messages/${open}`)).status).toBe(401);
    expectSuccess(await app.as(olivia).delete(`/streams/${market}`));
    await expect(fetchIds(app, null, [web])).resolves.not.toContain(open);
  });

  it('reads nothing once the organization no longer offers it', async () => {
    const { olivia } = app.cast;
    const narrow = [{ operator: 'channels', operand: 'web-public' }];
    const read = () =>
      app.client().get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expectSuccess(await read());
    expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: false }));
    expect((await read()).status).toBe(401);
    expect((await app.client().post('/register')).status).toBe(401);
    expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
  });

  it('gets in with no half of a pair of credentials', async () => {
    const { mia, max } = app.cast;
    const own = app.credentialsOf(mia);
    for (const credentials of [
      { email: mia.email, apiKey: '' },
      { email: mia.email, apiKey: 'x'.repeat(32) },
      { email: max.email, apiKey: own.apiKey },
      { email: '', apiKey: own.apiKey },
      { email: `${mia.email}\0`, apiKey: own.apiKey },
      { email: mia.email, apiKey: own.apiKey.toLowerCase() },
      { email: mia.email, apiKey: own.apiKey.slice(0, -1) },
    ]) {
      expect((await app.client(credentials).get('/users/me')).status).toBe(401);
    }
  });
});

describe('Nobody', () => {
  it('gives themselves or others more than they have', async () => {
    const { mona, max, adam, robo, gus } = app.cast;
    for (const who of [mona, max, robo, gus]) {
      const as = app.as(who);
      for (const [path, parameters] of [
        [`/users/${who.id}`, { role: Role.owner }],
        [`/users/${who.id}`, { role: Role.administrator }],
        [`/users/${who.id}`, { can_create_users: true }],
        ['/realm', { can_manage_all_groups: { new: { direct_members: [who.id], direct_subgroups: [] } } }],
      ] as const) {
        expect((await as.patch(path, parameters)).status).toBe(400);
      }
    }
    expect((await app.as(adam).patch(`/users/${adam.id}`, { role: Role.owner })).status).toBe(400);
    expect((await app.as(adam).patch(`/users/${max.id}`, { role: Role.owner })).status).toBe(400);
    expect((await app.as(adam).delete(`/users/${app.cast.olivia.id}`)).status).toBe(400);
  });

  it('polls or ends a queue of somebody else', async () => {
    const { mia, olivia, robo } = app.cast;
    const queue = await TestQueue.register(app.as(mia));
    for (const thief of [olivia, robo]) {
      const parameters = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
      expect((await app.as(thief).get('/events', parameters)).status).toBe(400);
      expect((await app.as(thief).delete('/events', { queue_id: queue.id })).status).toBe(400);
    }
    await expect(queue.events()).resolves.toEqual([]);
  });
});
