import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { expectConsistentRows } from '../support/message-state';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's, with Max and Mona in it. @returns its name and ID */
async function newChannel(): Promise<{ id: number; name: string }> {
  const { mia, max, mona } = app.cast;
  const name = `notices ${++channels}`;
  return { id: await createChannel(app, mia, name, { principals: [mia.id, max.id, mona.id] }), name };
}

const move = async (member: Member, id: number, changes: Parameters) =>
  expectSuccess(await app.as(member).patch(`/messages/${id}`, { propagate_mode: 'change_all', ...changes }));
const SITE = 'http://chat.example.com';
const BOTH = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };

/** Markdown of what the notification bot says in a topic, with the flags that the reader has. */
const notices = async (reader: Member, channel: number, topic: string) => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ];
  const { messages } = expectSuccess(await fetchMessages(app, reader, narrow, { apply_markdown: false }));
  return messages
    .filter(({ sender_full_name: name }: { sender_full_name: string }) => name === 'Notification Bot')
    .map(({ content, flags }: { content: string; flags: string[] }) => ({ content, flags }));
};
const said = async (channel: number, topic: string) =>
  (await notices(app.cast.mia, channel, topic)).map(({ content }: { content: string }) => content);
const by = (member: Member) => `@_**${member.fullName}|${member.id}**`;

it('a topic that moved says where it came from, and where it was where it went, if wanted', async () => {
  const { mia } = app.cast;
  const [from, to] = [await newChannel(), await newChannel()];
  const id = await sendTo(app, mia, from.id, 'lunch');
  await move(mia, id, { stream_id: to.id, topic: 'dinner', ...BOTH });
  await expect(said(to.id, 'dinner')).resolves.toEqual([
    `This topic was moved here from #**${from.name}>lunch** by ${by(mia)}.`,
  ]);
  await expect(said(from.id, 'lunch')).resolves.toEqual([
    `This topic was moved to #**${to.name}>dinner** by ${by(mia)}.`,
  ]);
});

it('part of a topic is counted', async () => {
  const { mia, max } = app.cast;
  const { id: channel, name } = await newChannel();
  const ids = [];
  for (let i = 0; i < 4; i++) ids.push(await sendTo(app, mia, channel, 'lunch'));
  await move(max, ids[1] as number, { topic: 'one', propagate_mode: 'change_one', ...BOTH });
  await move(max, ids[2] as number, { topic: 'two', propagate_mode: 'change_later', ...BOTH });
  const moved = `[A message](${SITE}/#narrow/channel/${channel}-${name.replace(' ', '-')}/topic/one/near/${ids[1]})`;
  await expect(said(channel, 'one')).resolves.toEqual([
    `${moved} was moved here from #**${name}>lunch** by ${by(max)}.`,
  ]);
  await expect(said(channel, 'two')).resolves.toEqual([
    `A message was moved from this topic to #**${name}>one** by ${by(max)}.`,
    `3 messages were moved here from #**${name}>lunch** by ${by(max)}.`,
  ]);
  await expect(said(channel, 'lunch')).resolves.toEqual([
    `3 messages were moved from this topic to #**${name}>two** by ${by(max)}.`,
  ]);
});

it('a topic that joins another one is counted where it went, and is the topic where it was', async () => {
  const { mia } = app.cast;
  const { id: channel, name } = await newChannel();
  await sendTo(app, mia, channel, 'dinner');
  const id = await sendTo(app, mia, channel, 'lunch');
  await sendTo(app, mia, channel, 'lunch');
  await move(mia, id, { topic: 'dinner', ...BOTH });
  await expect(said(channel, 'dinner')).resolves.toEqual([
    `2 messages were moved here from #**${name}>lunch** by ${by(mia)}.`,
  ]);
  await expect(said(channel, 'lunch')).resolves.toEqual([
    `This topic was moved to #**${name}>dinner** by ${by(mia)}.`,
  ]);
  const alone = await sendTo(app, mia, channel, 'tea');
  await move(mia, alone, { topic: 'dinner', propagate_mode: 'change_one' });
  const { content } = await fetchMessage(app, mia, alone + 1);
  const href = `#narrow/channel/${channel}-${name.replace(' ', '-')}/topic/dinner/near/${alone}`;
  expect(content).toContain(`<a href="${href}">A message</a> was moved here from`);
});

it('what the mover cannot see of protected history counts as if it were not there', async () => {
  const { mia, max } = app.cast;
  const channel = await createChannel(app, mia, `guarded ${++channels}`, {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [mia.id],
  });
  for (const topic of ['lunch', 'dinner']) await sendTo(app, mia, channel, topic);
  expectSuccess(
    await app.as(mia).post('/users/me/subscriptions', {
      subscriptions: [{ name: `guarded ${channels}` }],
      principals: [max.id],
    }),
  );
  const ids = [await sendTo(app, mia, channel, 'lunch'), await sendTo(app, mia, channel, 'lunch')];
  await move(max, ids[0] as number, { topic: 'dinner', propagate_mode: 'change_later', ...BOTH });
  await expect(said(channel, 'dinner')).resolves.toEqual([
    `This topic was moved here from #**guarded ${channels}>lunch** by ${by(max)}.`,
  ]);
  await expect(said(channel, 'lunch')).resolves.toEqual([
    `This topic was moved to #**guarded ${channels}>dinner** by ${by(max)}.`,
  ]);
});

it('the old topic is told only if that is wanted, and the new one unless it is not', async () => {
  const { mia } = app.cast;
  const { id: channel } = await newChannel();
  const id = await sendTo(app, mia, channel, 'lunch');
  await move(mia, id, { topic: 'dinner' });
  await expect(said(channel, 'lunch')).resolves.toEqual([]);
  await expect(said(channel, 'dinner')).resolves.toHaveLength(1);
  const other = await sendTo(app, mia, channel, 'lunch');
  await move(mia, other, { topic: 'quiet', send_notification_to_new_thread: false });
  await expect(said(channel, 'quiet')).resolves.toEqual([]);
});

it('marking a topic is told in a sentence of its own, whatever is wanted', async () => {
  const { mia, max } = app.cast;
  const { id: channel } = await newChannel();
  const id = await sendTo(app, mia, channel, 'lunch');
  await move(mia, id, { topic: '✔ lunch', send_notification_to_new_thread: false });
  await move(max, id, { topic: 'lunch', ...BOTH });
  await expect(said(channel, 'lunch')).resolves.toEqual([
    `${by(mia)} has marked this topic as resolved.`,
    `${by(max)} has marked this topic as unresolved.`,
  ]);
  await expect(said(channel, '✔ lunch')).resolves.toEqual([]);
});

it('a topic that is moved and marked at once is told of as moved, if wanted', async () => {
  const { mia } = app.cast;
  const [from, to] = [await newChannel(), await newChannel()];
  const id = await sendTo(app, mia, from.id, 'lunch');
  await move(mia, id, { stream_id: to.id, topic: '✔ lunch' });
  await expect(said(to.id, '✔ lunch')).resolves.toEqual([
    `This topic was moved here from #**${from.name}>lunch** by ${by(mia)}.`,
  ]);
  await move(mia, id, { stream_id: from.id, topic: 'lunch', send_notification_to_new_thread: false });
  await expect(said(from.id, 'lunch')).resolves.toHaveLength(1);
});

it('is unread for those who took part in the topic, the mover included', async () => {
  const { mia, max, mona } = app.cast;
  const { id: channel } = await newChannel();
  const id = await sendTo(app, mia, channel, 'lunch');
  await sendTo(app, max, channel, 'lunch');
  await move(mia, id, { topic: 'dinner' });
  const flagsOf = async (member: Member) => (await notices(member, channel, 'dinner'))[0]?.flags;
  await expect(flagsOf(mia)).resolves.toEqual([]);
  await expect(flagsOf(mona)).resolves.toEqual(['read']);
  await expect(flagsOf(max)).resolves.toEqual([]);
  await move(mona, id, { topic: 'supper' });
  await expect(notices(mona, channel, 'supper')).resolves.toMatchObject([
    { flags: ['read'] },
    { flags: ['read'] },
  ]);
});

it('is unread for those as well who reacted to a message of the topic', async () => {
  const { mia, max, mona } = app.cast;
  const { id: channel } = await newChannel();
  const id = await sendTo(app, mia, channel, 'lunch');
  expectSuccess(await app.as(mona).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
  await move(mia, id, { topic: 'dinner', ...BOTH });
  for (const topic of ['lunch', 'dinner']) {
    await expect(notices(mona, channel, topic)).resolves.toMatchObject([{ flags: [] }]);
    await expect(notices(max, channel, topic)).resolves.toMatchObject([{ flags: ['read'] }]);
  }
});

it('that a topic is resolved is unread for whom the personal setting says so, whoever took part', async () => {
  const { mia, max, mona, adam, olivia } = app.cast;
  const principals = [mia, max, mona, adam, olivia].map(({ id }) => id);
  const channel = await createChannel(app, mia, 'resolved', { principals });
  const choose = async (member: Member, policy: string) =>
    expectSuccess(
      await app.as(member).patch('/settings', { resolved_topic_notice_auto_read_policy: policy }),
    );
  const follow = async (member: Member) =>
    expectSuccess(
      await app.as(member).post('/user_topics', { stream_id: channel, topic: 'lunch', visibility_policy: 3 }),
    );
  const id = await sendTo(app, mia, channel, 'lunch');
  await sendTo(app, max, channel, 'lunch');
  await choose(adam, 'never');
  await choose(olivia, 'always');
  for (const member of [mona, olivia]) await follow(member);
  await move(mia, id, { topic: '✔ lunch' });
  await move(mia, id, { topic: 'lunch' });
  for (const [member, flags] of [
    [mia, ['read']],
    [max, ['read']],
    [mona, []],
    [adam, []],
    [olivia, ['read']],
  ] as const) {
    await expect(notices(member, channel, 'lunch')).resolves.toMatchObject([{ flags }, { flags }]);
  }
});

it('names of topics are no Markdown', async () => {
  const { mia } = app.cast;
  const { id: channel, name } = await newChannel();
  const topic = 'x** @**all** [a](b) `c`';
  const id = await sendTo(app, mia, channel, topic);
  const events = await app.captureEvents(() => move(mia, id, { topic: 'safe' }));
  const [notice] = events.filter(({ event }) => event.type === 'message');
  expect(notice?.event.message.content).toContain(`#${name} &gt; ${topic}`);
  expect(notice?.event.message.content).not.toMatch(/<a|<code|user-mention channel/);
  expect(notice?.event.flags).toEqual([]);
  const back = await sendTo(app, mia, channel, 'plain: <topic> & "more"');
  await move(mia, back, { topic: 'safer' });
  await expect(said(channel, 'safer')).resolves.toHaveLength(1);
});

it('the empty topic is linked as well', async () => {
  const { mia } = app.cast;
  const { id: channel } = await newChannel();
  const id = await sendTo(app, mia, channel, '');
  const events = await app.captureEvents(() => move(mia, id, { topic: 'lunch' }));
  const [notice] = events.filter(({ event }) => event.type === 'message');
  expect(notice?.event.message.content).toContain('<em>general chat</em></a>');
});
