import { Jobs } from '../../src/platform/jobs/jobs.service';
import { scheduledDelivery } from '../../src/features/drafts/scheduled/scheduled-message-rows.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessages, sendTo } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;
let topics = 0;
const clock = new StoppedTimeOfDay();

beforeAll(async () => {
  app = await TestApp.start({ clock });
  const { mia, max, gus } = app.cast;
  channel = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

afterAll(() => app.stop());

/** Events about what people follow, which sending may bring about. */
const aboutTopics = (type: string) => ['user_topic', 'muted_topics'].includes(type);

const nowSeconds = () => Math.floor(clock.nowMs() / 1000);
const newTopic = () => `lunch ${++topics}`;

/** Schedules a message to be sent in so many seconds. @returns its ID */
async function scheduled(member: Member, seconds: number, parameters: Parameters): Promise<number> {
  const answer = await app.as(member).post('/scheduled_messages', {
    content: 'Soup',
    scheduled_delivery_timestamp: nowSeconds() + seconds,
    ...parameters,
  });
  return expectSuccess(answer).scheduled_message_id;
}

const toChannel = (topic: string, to = channel) => ({ type: 'channel', to, topic });
const toPeople = (...people: Member[]) => ({ type: 'direct', to: people.map(({ id }) => id) });
const edit = (member: Member, id: number, parameters: Parameters) =>
  app.as(member).patch(`/scheduled_messages/${id}`, parameters);

/** Lets time pass, and what is due be sent. */
async function pass(seconds: number): Promise<void> {
  clock.aheadMs += seconds * 1000;
  await app.get(Jobs).runDue(scheduledDelivery);
}

async function list(member: Member) {
  return expectSuccess(await app.as(member).get('/scheduled_messages')).scheduled_messages;
}

/** What is in a topic, oldest first. */
async function inTopic(topic: string, reader = app.cast.mia, to = channel) {
  const narrow = [
    { operator: 'channel', operand: to },
    { operator: 'topic', operand: topic },
  ];
  return expectSuccess(await fetchMessages(app, reader, narrow)).messages;
}

const contentsIn = async (topic: string) =>
  (await inTopic(topic)).map((each: { content: string }) => each.content);

/** What the bot told somebody last, as Markdown. */
async function lastNotice(member: Member) {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const answer = await fetchMessages(app, member, narrow, { apply_markdown: false });
  const isFromBot = (each: Parameters) => each.sender_full_name === 'Notification Bot';
  return expectSuccess(answer).messages.filter(isFromBot).at(-1);
}

describe('A scheduled message', () => {
  it('is sent at its second, like any message, and is scheduled no longer', async () => {
    const { mia, max, gus } = app.cast;
    const topic = newTopic();
    const id = await scheduled(mia, 60, { ...toChannel(topic), content: `Soup for @**${max.fullName}**` });
    await pass(59);
    await expect(inTopic(topic)).resolves.toEqual([]);
    const events = (await app.captureEvents(() => pass(1))).filter(({ event }) => !aboutTopics(event.type));
    expect(events.map(({ event: { type, op } }) => [type, op])).toEqual([
      ['message', undefined],
      ['scheduled_messages', 'remove'],
    ]);
    const [message, removal] = events;
    expect(message?.audience).toEqual([max.id, mia.id, gus.id].sort((a, b) => a - b));
    expect(message?.event.message).toMatchObject({
      sender_id: mia.id,
      subject: topic,
      timestamp: nowSeconds(),
      content: expect.stringContaining('user-mention'),
    });
    expect(message?.options.personal?.get(max.id)?.flags).toEqual(['mentioned']);
    expect([removal?.event, removal?.audience]).toEqual([
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
      [mia.id],
    ]);
    await expect(list(mia)).resolves.toEqual([]);
    await pass(1000);
    await expect(inTopic(topic)).resolves.toHaveLength(1);
  });

  it('can be deleted by clients that have not heard that it was sent, and not be changed', async () => {
    const { mia, max } = app.cast;
    const topic = newTopic();
    const id = await scheduled(mia, 10, toChannel(topic));
    await pass(10);
    expectError(await edit(mia, id, { content: 'late' }), 'Scheduled message was already sent');
    const remove = (member: Member) => app.as(member).delete(`/scheduled_messages/${id}`);
    const unknown = ['Scheduled message does not exist', { status: 404 }] as const;
    expectError(await remove(max), ...unknown);
    expectError(await edit(max, id, { content: 'not mine' }), ...unknown);
    const events = await app.captureEvents(async () => expectSuccess(await remove(mia)));
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, [mia.id]],
    ]);
    expectError(await remove(mia), ...unknown);
    await expect(inTopic(topic)).resolves.toHaveLength(1);
  });

  it('is forgotten a month after it was sent, when another one is sent', async () => {
    const { mia } = app.cast;
    const old = await scheduled(mia, 10, toChannel(newTopic()));
    await pass(10);
    await pass(30 * 86_400);
    const next = await scheduled(mia, 10, toChannel(newTopic()));
    await pass(10);
    expectSuccess(await app.as(mia).delete(`/scheduled_messages/${next}`));
    expectError(await app.as(mia).delete(`/scheduled_messages/${old}`), 'Scheduled message does not exist', {
      status: 404,
    });
  });

  it('goes to people, and is read by its sender where the client or the request says so', async () => {
    const { mia, max, mona } = app.cast;
    const flagsOf = async (parameters: Parameters, client = 'ZulipMobile') => {
      const before = (await fetchMessages(app, mona, [{ operator: 'is', operand: 'dm' }])).body.messages
        .length;
      const answer = await app.as(mona).post('/scheduled_messages', {
        content: 'Soup',
        client,
        scheduled_delivery_timestamp: nowSeconds() + 10,
        ...parameters,
      });
      expectSuccess(answer);
      await pass(10);
      const { messages } = (await fetchMessages(app, mona, [{ operator: 'is', operand: 'dm' }])).body;
      expect(messages).toHaveLength(before + 1);
      return messages.at(-1).flags;
    };
    await expect(flagsOf(toPeople(mia, max))).resolves.toEqual(['read']);
    await expect(flagsOf(toPeople(mia), 'curl')).resolves.toEqual([]);
    await expect(flagsOf(toPeople(mona))).resolves.toEqual([]);
    await expect(flagsOf({ ...toPeople(mona), read_by_sender: true }, 'curl')).resolves.toEqual(['read']);
    await expect(flagsOf({ ...toPeople(mia), read_by_sender: false })).resolves.toEqual([]);
  });

  it('is sent as it was changed, at its new time', async () => {
    const { mia } = app.cast;
    const topic = newTopic();
    const id = await scheduled(mia, 10, toChannel(topic));
    expectSuccess(await edit(mia, id, { content: 'Bread', scheduled_delivery_timestamp: nowSeconds() + 30 }));
    await pass(29);
    await expect(inTopic(topic)).resolves.toEqual([]);
    await pass(1);
    await expect(contentsIn(topic)).resolves.toEqual(['<p>Bread</p>']);
  });

  it('is not sent once it is deleted', async () => {
    const { mia } = app.cast;
    const topic = newTopic();
    const id = await scheduled(mia, 10, toChannel(topic));
    expectSuccess(await app.as(mia).delete(`/scheduled_messages/${id}`));
    await expect(app.captureEvents(() => pass(10))).resolves.toEqual([]);
    await expect(inTopic(topic)).resolves.toEqual([]);
  });

  it('comes in the order of the times, whenever it was scheduled', async () => {
    const { mia } = app.cast;
    const topic = newTopic();
    await scheduled(mia, 30, { ...toChannel(topic), content: 'third' });
    await scheduled(mia, 10, { ...toChannel(topic), content: 'first' });
    await scheduled(mia, 20, { ...toChannel(topic), content: 'second' });
    await pass(40);
    await expect(contentsIn(topic)).resolves.toEqual(['<p>first</p>', '<p>second</p>', '<p>third</p>']);
  });

  it('fails where it may not be sent by then, of which the bot tells; with a new time it is tried again', async () => {
    const { olivia, max, mia } = app.cast;
    const room = await createChannelWith(app, mia, [max], 'pantry');
    const topic = newTopic();
    const id = await scheduled(max, 10, toChannel(topic, room));
    const deliverAt = nowSeconds() + 10;
    const posting = (group: object) =>
      app.as(olivia).patch(`/streams/${room}`, { can_send_message_group: { new: group } });
    const before = (await app.as(olivia).get(`/streams/${room}`)).body.stream.can_send_message_group;
    expectSuccess(await posting({ direct_members: [mia.id], direct_subgroups: [] }));
    const events = await app.captureEvents(() => pass(10));
    const [failed] = await list(max);
    expect(failed).toMatchObject({ scheduled_message_id: id, failed: true });
    expect(events.map(({ event: { type, op } }) => [type, op])).toEqual([
      ['scheduled_messages', 'update'],
      ['message', undefined],
    ]);
    expect([events[0]?.event.scheduled_message, events[0]?.audience]).toEqual([failed, [max.id]]);
    const time = new Date(deliverAt * 1000).toISOString().replace('.000Z', 'Z');
    await expect(lastNotice(max)).resolves.toMatchObject({
      content: `The message you scheduled for <time:${time}> was not sent because of the following error:

> You do not have permission to post in this channel.

[View scheduled messages](#scheduled)`,
    });
    await expect(inTopic(topic, mia, room)).resolves.toEqual([]);
    expectSuccess(await posting(before));
    expect((await edit(max, id, { content: 'Bread' })).body.msg).toBe(
      'Scheduled delivery time must be in the future.',
    );
    await expect(app.captureEvents(() => pass(1000))).resolves.toEqual([]);
    expectSuccess(await edit(max, id, { scheduled_delivery_timestamp: nowSeconds() + 10 }));
    expect(await list(max)).toMatchObject([{ failed: false }]);
    await pass(10);
    await expect(inTopic(topic, mia, room)).resolves.toHaveLength(1);
  });

  it('fails for a channel that is archived, unless it is back in time', async () => {
    const { olivia, mia } = app.cast;
    const room = await createChannelWith(app, mia, [olivia], 'attic');
    const topic = newTopic();
    await scheduled(mia, 10, toChannel(topic, room));
    await scheduled(mia, 60, toChannel(topic, room));
    expectSuccess(await app.as(olivia).delete(`/streams/${room}`));
    await pass(10);
    expect((await lastNotice(mia)).content).toContain("> Not authorized to send to channel 'attic'");
    expectSuccess(await app.as(olivia).patch(`/streams/${room}`, { is_archived: false }));
    await pass(50);
    await expect(inTopic(topic, mia, room)).resolves.toMatchObject([{ content: '<p>Soup</p>' }]);
  });

  it('fails without a word where its sender is deactivated', async () => {
    const { adam, max, mia } = app.cast;
    const gone = await app.addAccount({ ...max, deliveryEmail: 'gone@example.com', fullName: 'Gone' });
    await scheduled(gone, 10, toPeople(mia));
    expectSuccess(await app.as(adam).delete(`/users/${gone.id}`));
    await expect(app.captureEvents(() => pass(10))).resolves.toEqual([]);
    expectSuccess(await app.as(adam).post(`/users/${gone.id}/reactivate`));
    await expect(list(gone)).resolves.toMatchObject([{ failed: true }]);
  });

  it('fails where a recipient is deactivated by then', async () => {
    const { adam, max, mia } = app.cast;
    const left = await app.addAccount({ ...max, deliveryEmail: 'left@example.com', fullName: 'Left' });
    await scheduled(mia, 10, toPeople(left));
    expectSuccess(await app.as(adam).delete(`/users/${left.id}`));
    await pass(10);
    expect((await lastNotice(mia)).content).toContain("> 'left@example.com' is no longer using Zulip.");
  });

  it('fails when it is more than ten minutes late', async () => {
    const { mona } = app.cast;
    await scheduled(mona, 10, toPeople(mona));
    await scheduled(mona, 20, toPeople(mona));
    clock.aheadMs += 619_000;
    await app.get(Jobs).runDue(scheduledDelivery);
    const left = await list(mona);
    expect(left).toMatchObject([{ failed: true }]);
    expect((await lastNotice(mona)).content).toContain('> Message could not be sent at the scheduled time.');
  });

  it('finds the channel under its new name', async () => {
    const { olivia, mia } = app.cast;
    const room = await createChannelWith(app, mia, [], 'old name');
    const topic = newTopic();
    await sendTo(app, mia, room, topic);
    await scheduled(mia, 10, toChannel(topic, room));
    expectSuccess(await app.as(olivia).patch(`/streams/${room}`, { new_name: 'new name' }));
    await pass(10);
    expect((await inTopic(topic, mia, room)).at(-1)).toMatchObject({ display_recipient: 'new name' });
  });

  it('may be changed and deleted at the moment at which it is sent', async () => {
    const { mia } = app.cast;
    const topic = newTopic();
    const ids: number[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await scheduled(mia, 10, toChannel(topic)));
    clock.aheadMs += 10_000;
    const sending = app.get(Jobs).runDue(scheduledDelivery);
    const answers = await Promise.all(
      ids.map((id, at) =>
        at % 2 === 0
          ? edit(mia, id, { scheduled_delivery_timestamp: nowSeconds() + 50 })
          : app.as(mia).delete(`/scheduled_messages/${id}`),
      ),
    );
    await sending;
    const sent = (await inTopic(topic)).length;
    const left = (await list(mia)).filter((each: Parameters) => each.topic === topic).length;
    for (const [at, { status }] of answers.entries())
      expect(at % 2 === 0 ? [200, 400] : [200]).toContain(status);
    const deleted = 6 - sent - left;
    expect(deleted).toBeLessThanOrEqual(3);
    await pass(50);
    await expect(inTopic(topic)).resolves.toHaveLength(6 - deleted);
  });
});
