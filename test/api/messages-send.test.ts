import type { Member } from '../support/cast';
import { changeAccount } from '../support/account-setup';
import { changeChannel, channelRecord, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendTo } from '../support/message-setup';
import type { CapturedEvent } from '../support/event-capture';
import { TestApp } from '../support/test-app';
import type { Parameters } from '../support/api-client';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, robo } = app.cast;
  channel = await createChannel(app, mia, 'lunch', { principals: [mia.id, max.id, robo.id] });
});

afterAll(() => app.stop());

const send = (who: Member, parameters: Parameters) =>
  app
    .as(who)
    .post('/messages', { type: 'channel', to: 'lunch', topic: 'soup', content: 'hello', ...parameters });

describe('addressing a channel', () => {
  it.each([
    ['its raw name', () => 'lunch'],
    ['its name in any case', () => 'LUNCH'],
    ['its JSON-quoted name', () => '"lunch"'],
    ['a list of one name', () => '["lunch"]'],
    ['its ID', () => String(channel)],
    ['a list of its ID', () => `[${channel}]`],
  ])('accepts %s', async (_, to) => {
    const { id } = expectSuccess(await send(app.cast.mia, { to: to() }));
    await expect(fetchMessage(app, app.cast.mia, id)).resolves.toMatchObject({ stream_id: channel });
  });

  it('accepts both words for the type and both names of the topic', async () => {
    const { mia } = app.cast;
    for (const type of ['stream', 'channel']) {
      const { id } = expectSuccess(await send(mia, { type, topic: undefined, subject: 'stew' }));
      await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ subject: 'stew', type: 'stream' });
    }
    expectError(
      await send(mia, { subject: 'stew' }),
      "Can't decide between 'topic' and 'subject' arguments",
      {
        code: 'REQUEST_CONFUSING_VAR',
        data: { var_name1: 'topic', var_name2: 'subject' },
      },
    );
  });

  it('takes a raw number for an ID, so that such a name has to be quoted', async () => {
    const { mia } = app.cast;
    const numeric = await createChannel(app, mia, '2024');
    expectError(await send(mia, { to: '2024' }), "Channel with ID '2024' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream_id: 2024 },
    });
    const { id } = expectSuccess(await send(mia, { to: '"2024"' }));
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ stream_id: numeric });
  });

  it.each([
    [{ to: '["lunch", "tea"]' }, 'Expected exactly one channel'],
    [{ to: '{}' }, 'Invalid data type for channel'],
    [{ to: undefined }, 'Missing channel'],
    [{ topic: undefined }, 'Missing topic'],
    [{ topic: 'a\tb' }, 'Invalid character in topic, at position 2!'],
    [{ content: ' \n ' }, 'Message must not be empty'],
    [{ content: 'a\0b' }, 'Message must not contain null bytes'],
    [{ type: 'huddle' }, 'Invalid type'],
    [{ sender: 'max@example.com' }, 'Invalid mirrored message'],
    [{ forged: 'yes' }, 'User not authorized for this query'],
  ])('refuses %j', async (parameters, message) => {
    expectError(await send(app.cast.mia, parameters), message);
  });

  it('asks for content', async () => {
    expectError(await send(app.cast.mia, { content: undefined }), "Missing 'content' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'content' },
    });
  });

  it('escapes the name of a channel that does not exist', async () => {
    expectError(await send(app.cast.mia, { to: '<b>&' }), "Channel '<b>&' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: '&lt;b&gt;&amp;' },
    });
  });

  it('reports parameters that it does not know', async () => {
    expectSuccess(await send(app.cast.mia, { time: 5 }), {
      ignored: ['time'],
    });
  });
});

describe('normalizing', () => {
  it('cuts topics and contents that are too long [LIM-1c]', async () => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, 'lunch', `  ${'é'.repeat(61)} `, `\n${'x'.repeat(10_001)}  `);
    const message = await fetchMessage(app, mia, id, { apply_markdown: false });
    expect(message.subject).toBe(`${'é'.repeat(57)}...`);
    expect(message.content).toHaveLength(10_000);
    expect(message.content.endsWith('x\n[message truncated]')).toBe(true);
    const longest = await sendTo(app, mia, 'lunch', '😀'.repeat(60));
    await expect(fetchMessage(app, mia, longest)).resolves.toMatchObject({ subject: '😀'.repeat(60) });
  });

  it.each(['', '  ', 'general chat', '(no topic)'])('takes the topic %j for the empty one', async (topic) => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, 'lunch', topic);
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ subject: 'general chat' });
    await expect(fetchMessage(app, mia, id, { allow_empty_topic_name: true })).resolves.toMatchObject({
      subject: '',
    });
  });
});

describe('what the sender has read', () => {
  it('is decided by the client, or by the request', async () => {
    const { mia } = app.cast;
    const flagsOf = async (parameters: Parameters) => {
      const { id } = expectSuccess(await send(mia, parameters));
      return (await fetchMessage(app, mia, id)).flags;
    };
    await expect(flagsOf({})).resolves.toEqual([]);
    await expect(flagsOf({ client: 'website' })).resolves.toEqual(['read']);
    await expect(flagsOf({ client: 'ZulipTerminal' })).resolves.toEqual(['read']);
    await expect(flagsOf({ client: 'website', read_by_sender: false })).resolves.toEqual([]);
    await expect(flagsOf({ read_by_sender: true })).resolves.toEqual(['read']);
  });
});

describe('the policy of the topic', () => {
  it('becomes following for whoever starts it, unless the settings say otherwise', async () => {
    const { mia, max, robo } = app.cast;
    expect(expectSuccess(await send(mia, { topic: 'started by Mia' }))).toMatchObject({
      automatic_new_visibility_policy: 3,
    });
    expect(expectSuccess(await send(max, { topic: 'started by Mia' }))).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
    expect(expectSuccess(await send(robo, { topic: 'started by Robo' }))).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
    const settings = JSON.stringify({ automatically_follow_topics_policy: 2 });
    await changeAccount(app, max, { settings });
    const events = await app.captureEvents(() => send(max, { topic: 'started by Mia' }));
    expect(events.find(({ event }) => event.type === 'user_topic')).toMatchObject({
      audience: [max.id],
      event: { stream_id: channel, topic_name: 'started by Mia', visibility_policy: 3 },
    });
    await changeAccount(app, max, { settings: '{}' });
  });

  it('becomes following for whoever sees no earlier message of it, where history is protected', async () => {
    const { mia, max } = app.cast;
    const name = 'two ages';
    const secret = await createChannel(app, mia, name, {
      invite_only: true,
      history_public_to_subscribers: false,
      principals: [mia.id],
    });
    await sendTo(app, mia, secret, 'lunch');
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [max.id] }),
    );
    const answer = async () =>
      expectSuccess(
        await app.as(max).post('/messages', { type: 'channel', to: secret, topic: 'lunch', content: 'hi' }),
      );
    await expect(answer()).resolves.toMatchObject({ automatic_new_visibility_policy: 3 });
    expectSuccess(
      await app.as(max).post('/user_topics', { stream_id: secret, topic: 'lunch', visibility_policy: 0 }),
    );
    await expect(answer()).resolves.not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('becomes unmuted in the same way for whoever has muted the channel and wants that', async () => {
    const { mia, max } = app.cast;
    const wishes = {
      automatically_follow_topics_policy: 4,
      automatically_unmute_topics_in_muted_streams_policy: 3,
    };
    expectSuccess(await app.as(max).patch('/settings', wishes));
    const name = 'two quiet ages';
    const quiet = await createChannel(app, mia, name, {
      invite_only: true,
      history_public_to_subscribers: false,
      principals: [mia.id],
    });
    await sendTo(app, mia, quiet, 'lunch');
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [max.id] }),
    );
    const muted = { property: 'is_muted', value: true };
    expectSuccess(await app.as(max).patch(`/users/me/subscriptions/${quiet}`, muted));
    const lunch = { type: 'channel', to: quiet, topic: 'lunch', content: 'hi' };
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await app.as(max).post('/messages', lunch))).toMatchObject({
        automatic_new_visibility_policy: 2,
      });
    });
    expect(events.filter(({ event }) => event.type === 'user_topic')).toMatchObject([
      { audience: [max.id], event: { stream_id: quiet, topic_name: 'lunch', visibility_policy: 2 } },
    ]);
    expectSuccess(
      await app.as(max).post('/user_topics', { stream_id: quiet, topic: 'lunch', visibility_policy: 0 }),
    );
    expect(expectSuccess(await app.as(max).post('/messages', lunch))).not.toHaveProperty(
      'automatic_new_visibility_policy',
    );
    await changeAccount(app, max, { settings: '{}' });
  });

  it('becomes following for people whom a message mentions by name, unless they muted it or do not want to', async () => {
    const { olivia, mia, max, mona, robo } = app.cast;
    const followers = async (topic: string) => {
      const names = [max, mona, robo].map(({ fullName }) => `@**${fullName}**`).join(' ');
      const content = `${names} @_**Mia Member** @**topic**`;
      const events = await app.captureEvents(() => send(mia, { topic, content }));
      const told = events.filter(({ event }) => event.type === 'user_topic' && event.topic_name === topic);
      return told.flatMap(({ event, audience }) => audience.map((id) => [id, event.visibility_policy]));
    };
    await send(mia, { topic: 'a call' });
    await expect(followers('a call')).resolves.toEqual([[max.id, 3]]);
    await expect(followers('a call')).resolves.toEqual([]);
    const set = (topic: string, visibility_policy: number) =>
      app.as(max).post('/user_topics', { stream_id: channel, topic, visibility_policy });
    await send(mia, { topic: 'noise' });
    expectSuccess(await set('noise', 1));
    await expect(followers('noise')).resolves.toEqual([]);
    expectSuccess(await set('NOISE', 2));
    await expect(followers('noise')).resolves.toEqual([[max.id, 3]]);
    await send(mia, { topic: 'later' });
    expectSuccess(
      await app.as(max).patch('/settings', { automatically_follow_topics_where_mentioned: false }),
    );
    await expect(followers('later')).resolves.toEqual([]);
    await changeAccount(app, max, { settings: '{}' });
    const direct = await app.captureEvents(() =>
      app.as(olivia).post('/messages', { type: 'direct', to: [max.id], content: '@**Max Member**' }),
    );
    expect(direct.map(({ event }) => event.type)).toEqual(['message']);
  });
});

describe('the event', () => {
  it('carries the record without flags, and flags of their own for those who need them', async () => {
    const { mia, max, robo } = app.cast;
    const parameters = {
      topic: 'soup',
      content: '@**Max Member** **hot**',
      read_by_sender: true,
      queue_id: 'q1',
      local_id: '77.01',
    };
    const events = await app.captureEvents(() => send(mia, parameters));
    expect(events.map(({ event }) => event.type)).toEqual(['message', 'user_topic']);
    const { event, audience, options } = events[0] as CapturedEvent;
    const mention = `<span class="user-mention" data-user-id="${max.id}">@Max Member</span>`;
    expect(audience).toEqual([max.id, mia.id, robo.id].sort((a, b) => a - b));
    expect(event).toEqual({
      type: 'message',
      flags: [],
      message: {
        id: expect.any(Number),
        sender_id: mia.id,
        sender_email: mia.email,
        sender_full_name: 'Mia Member',
        sender_realm_str: '',
        recipient_id: expect.any(Number),
        type: 'stream',
        stream_id: channel,
        display_recipient: 'lunch',
        subject: 'soup',
        topic_links: [],
        content: `<p>${mention} <strong>hot</strong></p>`,
        content_type: 'text/html',
        timestamp: expect.any(Number),
        client: expect.any(String),
        avatar_url: expect.stringContaining('gravatar.com'),
        is_me_message: false,
        reactions: [],
        submessages: [],
      },
    });
    expect(options.personal).toEqual(
      new Map([
        [max.id, { flags: ['mentioned'] }],
        [mia.id, { flags: ['read'] }],
      ]),
    );
    expect(options.queue).toEqual({ id: 'q1', extra: { local_message_id: '77.01' } });
    expect(options.alternatives).toEqual({
      markdown: { content: '@**Max Member** **hot**', content_type: 'text/x-markdown' },
      gravatar: { avatar_url: null },
    });
  });

  it('shows the empty topic as it is, with its display name beside it', async () => {
    const [told] = await app.captureEvents(() => send(app.cast.max, { topic: '' }));
    expect(told?.event.message.subject).toBe('');
    expect(told?.options.alternatives).toMatchObject({ shown_empty_topic: { subject: 'general chat' } });
  });
});

describe('the rows around a message', () => {
  it('note the first message of a channel, and that it has life again', async () => {
    const { mia } = app.cast;
    const id = await createChannel(app, mia, 'sleepy');
    await changeChannel(app, id, { date_created: 1_000_000 });
    await expect(channelRecord(app, id)).resolves.toMatchObject({
      first_message_id: null,
      is_recently_active: false,
    });
    const events = await app.captureEvents(() => sendTo(app, mia, id, 'awake'));
    const first = events.find(({ event }) => event.type === 'message')?.event.message.id;
    await sendTo(app, mia, id, 'awake');
    await expect(channelRecord(app, id)).resolves.toMatchObject({
      first_message_id: first,
      is_recently_active: true,
    });
    expect(events.find(({ event }) => event.type === 'stream')?.event).toEqual({
      type: 'stream',
      op: 'update',
      property: 'is_recently_active',
      value: true,
      stream_id: id,
      name: 'sleepy',
    });
  });
});

describe('POST /messages/render', () => {
  it('renders and stores nothing', async () => {
    const events = await app.captureEvents(async () => {
      const answer = await app.as(app.cast.mia).post('/messages/render', { content: '**hot** #**lunch**' });
      expect(expectSuccess(answer).rendered).toContain('<strong>hot</strong>');
      expect(answer.body.rendered).toContain(`data-stream-id="${channel}"`);
    });
    expect(events).toEqual([]);
  });
});
