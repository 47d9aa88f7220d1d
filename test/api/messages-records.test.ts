import { MessageRecordsService } from '../../src/features/messages/store/message-records.service';
import { loadMessages } from '../../src/features/messages/store/message-rows.service';
import { Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A channel with messages of every kind that records show differently. */
async function allKinds(): Promise<number[]> {
  const { mia, max, olivia, gus } = app.cast;
  const channel = await createChannelWith(app, mia, [max, gus], 'kinds of "records"');
  const one = await sendTo(app, mia, channel, 'with "quotes" & https://example.com', '**bold** \\ "quoted"');
  const edited = await sendTo(app, max, channel, 'lunch', 'before');
  const moved = await sendTo(app, max, channel, 'lunch', '/me moves');
  const reacted = await sendTo(app, mia, channel, '', 'to no topic \u2028 😀');
  const poll = await sendTo(app, mia, channel, 'lunch', '/poll Soup?\nyes\nno');
  const direct = await sendDirect(app, max, [mia, olivia], 'to two');
  expectSuccess(await app.as(max).patch(`/messages/${edited}`, { content: 'after `code`' }));
  expectSuccess(await app.as(max).patch(`/messages/${moved}`, { topic: 'dinner' }));
  for (const who of [mia, max]) {
    expectSuccess(await app.as(who).post(`/messages/${reacted}/reactions`, { emoji_name: 'tada' }));
  }
  const vote = { message_id: poll, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' };
  expectSuccess(await app.as(max).post('/submessage', vote));
  return [one, edited, moved, reacted, poll, direct];
}

describe('Records of messages', () => {
  it('say the same as text, in lists, and one by one', async () => {
    const ids = await allKinds();
    const { read } = app.get(Database);
    const service = app.get(MessageRecordsService);
    const rows = await loadMessages(read, ids);
    for (const applyMarkdown of [true, false]) {
      for (const clientGravatar of [true, false]) {
        for (const allowEmptyTopicName of [true, false]) {
          const reader = { userId: app.cast.mia.id, role: Role.member };
          const view = { reader, applyMarkdown, clientGravatar, allowEmptyTopicName };
          const records = await service.records(read, rows, view);
          const texts = await service.texts(read, rows, view);
          expect(texts.map(({ members }) => JSON.parse(`{${members()}}`) as unknown)).toEqual(records);
          expect(texts.map(({ topic }) => topic)).toEqual(records.map(({ subject }) => subject));
        }
      }
    }
  });

  it('follow what changes elsewhere: names, pictures, channels and links', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max], 'before it is renamed');
    const id = await sendTo(app, max, channel, 'ABC-1', 'hello');
    const shown = async () => {
      const [message] = expectSuccess(
        await fetchMessages(app, mia, [{ operator: 'id', operand: id }]),
      ).messages;
      return message as Record<string, unknown>;
    };
    await expect(shown()).resolves.toMatchObject({
      display_recipient: 'before it is renamed',
      topic_links: [],
    });
    const linkifier = { pattern: 'ABC-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
    expectSuccess(await app.as(olivia).post('/realm/filters', linkifier));
    expectSuccess(await app.as(mia).patch(`/streams/${channel}`, { new_name: 'after it' }));
    expectSuccess(await app.as(olivia).patch(`/users/${max.id}`, { full_name: 'Max Renamed' }));
    await expect(shown()).resolves.toMatchObject({
      display_recipient: 'after it',
      sender_full_name: 'Max Renamed',
      topic_links: [{ text: 'ABC-1', url: 'https://example.com/1' }],
    });
  });
});

describe('What is behind channels that are closed by now', () => {
  const leave = async (who: Member, name: string) =>
    expectSuccess(await app.as(who).delete('/users/me/subscriptions', { subscriptions: [name] }));

  it('is found all the same, however much of them is in between', async () => {
    const { mia, olivia } = app.cast;
    const open = await createChannelWith(app, olivia, [mia], 'stays open');
    const wanted: number[] = [];
    for (const [at, name] of ['closes first', 'closes second', 'closes last'].entries()) {
      wanted.push(await sendTo(app, mia, open, 'here', `before ${name}`));
      const closed = await createChannelWith(app, olivia, [mia], name, { invite_only: true });
      await copyMessage(app, await sendTo(app, olivia, closed, 'there'), 40 * (at + 1));
    }
    wanted.push(await sendTo(app, mia, open, 'here', 'last'));
    await sendDirect(app, olivia, [mia], 'direct');
    for (const name of ['closes first', 'closes second', 'closes last']) await leave(mia, name);

    const narrow = [{ operator: 'dm', operand: [mia.id], negated: true }];
    const some = (await fetchIds(app, mia, narrow, { num_before: 5 })).filter((id) => wanted.includes(id));
    expect(some).toEqual(wanted);
    const after = { anchor: wanted[0], num_before: 0, num_after: 4, include_anchor: false };
    const newer = expectSuccess(await fetchMessages(app, mia, [], after));
    expect(newer.messages.slice(0, 3).map((message: { id: number }) => message.id)).toEqual(wanted.slice(1));
    expect(newer.found_newest).toBe(false);
  });
});
