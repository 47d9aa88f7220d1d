import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, gus } = app.cast;
  channel = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

afterAll(() => app.stop());

const attach = (member: Member, message_id: number, data: unknown, more: Parameters = {}) =>
  app.as(member).post('/submessage', {
    message_id,
    msg_type: 'widget',
    content: typeof data === 'string' ? data : JSON.stringify(data),
    ...more,
  });

const send = (content: string, more: Parameters = {}) =>
  sendTo(app, app.cast.mia, channel, 'lunch', content, more);

const submessagesOf = async (id: number, reader = app.cast.max, more: Parameters = {}) =>
  (await fetchMessage(app, reader, id, more)).submessages;

const poll = { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'bread'] } };
const todo = {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Shopping', tasks: [{ task: 'bread', desc: 'brown' }] },
};
const zform = {
  widget_type: 'zform',
  extra_data: {
    type: 'choices',
    heading: 'Lunch?',
    choices: [{ type: 'multiple_choice', short_name: 'A', long_name: 'Soup', reply: 'soup please' }],
  },
};
const VOTE = { type: 'vote', key: 'canned,0', vote: 1 };
const NO_ID = 1_999_999_999;

describe('A message that is a widget', () => {
  it.each([
    ['/poll Lunch?\n\n- soup\n* bread', poll],
    ['/todo Shopping\nbread: brown', todo],
  ])('is made by %j, and told with it', async (content, widget) => {
    const { mia, max } = app.cast;
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = await send(content);
    });
    const submessages = [
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: mia.id,
        msg_type: 'widget',
        content: JSON.stringify(widget),
      },
    ];
    const told = events.filter(({ event }) => event.type === 'message');
    expect(told.map(({ event }) => event.message.submessages)).toEqual([submessages]);
    await expect(submessagesOf(id)).resolves.toEqual(submessages);
    await expect(submessagesOf(id, max, { apply_markdown: false })).resolves.toEqual(submessages);
    const { content: html } = await fetchMessage(app, max, id);
    expect(html).toMatch(/^<p>\/(poll|todo) /);
  });

  it('is made by bots, in direct messages too, and not by words further on', async () => {
    const { robo, mia, max } = app.cast;
    const id = await sendDirect(app, robo, [mia], '/poll');
    const content = JSON.stringify({ widget_type: 'poll', extra_data: { question: '', options: [] } });
    await expect(submessagesOf(id, mia)).resolves.toMatchObject([{ sender_id: robo.id, content }]);
    await expect(submessagesOf(await sendDirect(app, mia, [max], 'a /poll'))).resolves.toEqual([]);
    const edited = await send('hello');
    expectSuccess(await app.as(mia).patch(`/messages/${edited}`, { content: '/poll Lunch?' }));
    await expect(submessagesOf(edited)).resolves.toEqual([]);
  });

  it('is a form where its sender says so, whatever the content', async () => {
    const id = await send('/poll Lunch?', { widget_content: zform });
    const [{ content }] = await submessagesOf(id);
    expect(JSON.parse(content as string)).toEqual(zform);
  });

  const form = (extra_data: unknown) => ({ ...zform, extra_data });
  const choice = zform.extra_data.choices[0];
  it.each<[string, unknown]>([
    ['API programmer sent invalid JSON content', 'soup'],
    ['widget_content is not a dict', []],
    ['widget_type is not in widget_content', {}],
    ['extra_data is not in widget_content', { widget_type: 'zform' }],
    ['extra_data is not a dict', form(7)],
    ['unknown widget type: poll', poll],
    ['unknown widget type: 7', { ...zform, widget_type: 7 }],
    ['zform is missing type field', form({})],
    ['unknown zform type: text', form({ type: 'text' })],
    ['heading key is missing from extra_data', form({ type: 'choices' })],
    ['extra_data["choices"] is not a list', form({ ...zform.extra_data, choices: {} })],
    ['extra_data["choices"][0] is not a dict', form({ ...zform.extra_data, choices: [7] })],
    ['short_name key is missing from extra_data["choices"][0]', form({ ...zform.extra_data, choices: [{}] })],
    [
      'extra_data["choices"][1]["reply"] is not a string',
      form({ ...zform.extra_data, choices: [choice, { ...choice, reply: 7 }] }),
    ],
  ])('is refused with %s', async (problem, widget_content) => {
    const to = channel;
    const message = { type: 'channel', to, topic: 'lunch', content: 'hello', widget_content };
    const events = await app.captureEvents(async () => {
      expectError(await app.as(app.cast.mia).post('/messages', message), `Widgets: ${problem}`);
    });
    expect(events).toEqual([]);
  });

  it('keeps its content; it is moved and deleted like others', async () => {
    const { mia, olivia } = app.cast;
    const id = await send('/poll Lunch?');
    expectError(await app.as(mia).patch(`/messages/${id}`, { content: 'x' }), 'Widgets cannot be edited.');
    expectSuccess(await app.as(olivia).patch(`/messages/${id}`, { topic: 'polls' }));
    await expect(submessagesOf(id)).resolves.toHaveLength(1);
    expectSuccess(await app.as(olivia).delete(`/messages/${id}`));
  });
});

describe('POST /submessage', () => {
  it('takes a vote, tells everybody who has the message, and keeps what was written', async () => {
    const { mia, max, gus } = app.cast;
    const id = await send('/poll Lunch?\nsoup');
    const content = '{ "type":"vote", "key":"canned,0", "vote":1 }';
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await attach(gus, id, content))).toEqual({ result: 'success', msg: '' });
    });
    const [first, vote] = await submessagesOf(id);
    expect(first.sender_id).toBe(mia.id);
    expect(vote).toEqual({
      id: expect.any(Number),
      message_id: id,
      sender_id: gus.id,
      msg_type: 'widget',
      content,
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [
        {
          type: 'submessage',
          msg_type: 'widget',
          message_id: id,
          submessage_id: vote.id,
          sender_id: gus.id,
          content,
        },
        [max.id, mia.id, gus.id].sort((a, b) => a - b),
      ],
    ]);
    expectSuccess(await attach(gus, id, { ...VOTE, vote: -1 }));
    expectSuccess(await attach(max, id, { type: 'new_option', option: 'bread', idx: 1 }));
    expectSuccess(await attach(mia, id, { type: 'question', question: 'Dinner?' }));
    await expect(submessagesOf(id)).resolves.toHaveLength(5);
  });

  it.each<[string, unknown]>([
    ['Invalid json for submessage', 'soup'],
    ['poll data is not a dict', []],
    ['type key is missing from poll data', {}],
    ['poll data["type"] is not a string', { type: 7 }],
    ['Unknown type for poll data: toString', { type: 'toString' }],
    ['key key is missing from poll data', { type: 'vote' }],
    ['poll data["key"] is not a string', { ...VOTE, key: 7 }],
    ['vote key is missing from poll data', { type: 'vote', key: 'a' }],
    ['poll data["vote"] is not an integer', { ...VOTE, vote: '1' }],
    ['Invalid poll data["vote"]', { ...VOTE, vote: 2 }],
    ['poll data["idx"] is too small', { type: 'new_option', option: 'a', idx: -1 }],
    ['poll data["idx"] is too large', { type: 'new_option', option: 'a', idx: 1001 }],
    ['poll data["idx"] is not an integer', { type: 'new_option', option: 'a', idx: 1.5 }],
    ['Unexpected arguments: a, b', { ...VOTE, a: 1, b: 2 }],
    ["You can't edit a question unless you are the author.", { type: 'question' }],
  ])('refuses of a poll: %s', async (message, data) => {
    const id = await send('/poll Lunch?');
    const events = await app.captureEvents(async () => {
      expectError(await attach(app.cast.max, id, data), message);
    });
    expect(events).toEqual([]);
    await expect(submessagesOf(id)).resolves.toHaveLength(1);
  });

  it('takes tasks of a to-do list', async () => {
    const { mia, max } = app.cast;
    const id = await send('/todo Shopping');
    const task = { type: 'new_task', key: 2, task: 'milk', desc: '', completed: false };
    expectSuccess(await attach(max, id, task));
    expectSuccess(await attach(max, id, { type: 'strike', key: '0,canned' }));
    expectSuccess(await attach(mia, id, { type: 'new_task_list_title', title: 'Food' }));
    const title = { type: 'new_task_list_title', title: 'Mine' };
    const refusal = "You can't edit the task list title unless you are the author.";
    expectError(await attach(max, id, title), refusal);
    expectError(await attach(max, id, { ...task, completed: 1 }), 'todo data["completed"] is not a boolean');
    expectError(await attach(max, id, { ...task, key: 1001 }), 'todo data["key"] is too large');
    expectError(await attach(max, id, { type: 'vote' }), 'Unknown type for todo data: vote');
    expectError(await attach(max, id, 'null'), 'todo data is not a dict');
  });

  it('takes any JSON where the message is another widget, which its sender alone can begin', async () => {
    const { mia, max } = app.cast;
    const id = await send('hello');
    expectError(await attach(max, id, 'soup'), 'You cannot attach a submessage to this message.');
    expectSuccess(await attach(mia, id, '7', { msg_type: 'mine' }));
    expectSuccess(await attach(max, id, 'null'));
    expectSuccess(await attach(max, id, '"soup"'));
    await expect(submessagesOf(id)).resolves.toMatchObject([
      { msg_type: 'mine', content: '7' },
      { msg_type: 'widget', content: 'null' },
      { content: '"soup"' },
    ]);
    const choices = await send('hello', { widget_content: zform });
    expectSuccess(await attach(max, choices, VOTE));
  });

  it('is for whoever reads the message, unless its channel is archived', async () => {
    const { mia, olivia, mona } = app.cast;
    const hidden = await createChannelWith(app, mia, [], 'cellar', { invite_only: true });
    const id = await sendTo(app, mia, hidden, 'x', '/poll');
    for (const each of [id, NO_ID, 1e12]) {
      expectError(await attach(olivia, each, VOTE), 'Invalid message(s)');
    }
    const open = await createChannelWith(app, mia, [], 'hall');
    const inOpen = await sendTo(app, mia, open, 'x', '/poll');
    expectSuccess(await attach(mona, inOpen, VOTE));
    expectSuccess(await app.as(olivia).delete(`/streams/${open}`));
    expectError(await attach(mia, inOpen, VOTE), 'Invalid message(s)');
  });

  it('follows the topic for those who want that of topics in which they take part', async () => {
    const { max } = app.cast;
    const setting = (value: number) =>
      app.as(max).patch('/settings', { automatically_follow_topics_policy: value });
    const id = await sendTo(app, app.cast.mia, channel, 'to be followed', '/poll');
    expectSuccess(await setting(1));
    const events = await app.captureEvents(async () => {
      expectSuccess(await attach(max, id, VOTE));
    });
    expect(events.map(({ event }) => event.type)).toEqual(['muted_topics', 'user_topic', 'submessage']);
    expectSuccess(await setting(4));
  });

  it('needs each of its parameters, of bounded size', async () => {
    const { mia } = app.cast;
    const id = await send('/poll');
    const missing = (name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } });
    for (const name of ['content', 'message_id', 'msg_type']) {
      const answer = await attach(mia, id, VOTE, { [name]: undefined });
      expectError(answer, `Missing '${name}' argument`, missing(name));
    }
    expectError(await attach(mia, id, 'x'.repeat(10_001)), 'content is too long (limit: 10000 characters)');
    const tooLong = 'msg_type is too long (limit: 100 characters)';
    expectError(await attach(mia, id, VOTE, { msg_type: 'x'.repeat(101) }), tooLong);
  });
});
