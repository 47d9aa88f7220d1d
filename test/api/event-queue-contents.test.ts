import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { descriptionCheck } from '../support/description/running-check';
import { emit, publish } from '../support/event-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import type { QueueEvent, TestQueue } from '../support/test-queue';

let app: TestApp;

// Many events here are made up, as they are about queues and not about what is in them.
descriptionCheck.leave('events');

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'its clients get events that no client knows' });
});

afterAll(() => app.stop());

const say = (to: Member, content: string) => sendDirect(app, app.cast.mia, [to], content);

describe('A queue gets', () => {
  it('events of the types it asked for', async () => {
    const { max } = app.cast;
    const [all, some, none] = [
      await app.queue(max),
      await app.queue(max, { event_types: ['test_b', 'no such type'] }),
      await app.queue(max, { event_types: [] }),
    ];
    const unset = await app.queue(max, { event_types: 'null' });
    await emit(app, { type: 'test_a' }, [max]);
    await emit(app, { type: 'test_b' }, [max]);
    const types = async (queue: TestQueue) => (await queue.events()).map(({ type }) => type);
    expect(await types(all)).toEqual(['test_a', 'test_b']);
    expect(await types(unset)).toEqual(['test_a', 'test_b']);
    expect(await types(some)).toEqual(['test_b']);
    expect(await types(none)).toEqual([]);
  });

  it('no legacy event about muted topics where it asked for their successor', async () => {
    const { max } = app.cast;
    const [all, both, one] = [
      await app.queue(max),
      await app.queue(max, { event_types: ['muted_topics', 'user_topic'] }),
      await app.queue(max, { event_types: ['muted_topics'] }),
    ];
    await emit(app, { type: 'muted_topics' }, [max]);
    expect(await all.events()).toHaveLength(1);
    expect(await both.events()).toEqual([]);
    expect(await one.events()).toHaveLength(1);
  });

  it('events for its capabilities', async () => {
    const { max } = app.cast;
    const capabilities = {
      notification_settings_null: false,
      archived_channels: true,
      empty_topic_name: false,
    };
    const able = await app.queue(max, { client_capabilities: capabilities });
    const slim = await app.queue(max, { slim_presence: true });
    await emit(app, { type: 'test_a' }, [max], { requires: 'archived_channels' });
    await emit(app, { type: 'test_b' }, [max], { unless: ['archived_channels', 'slim_presence'] });
    await emit(app, { type: 'c' }, [max], { requires: 'empty_topic_name' });
    await emit(app, { type: 'test_d' }, [max], { requires: 'slim_presence' });
    expect((await able.events()).map(({ type }) => type)).toEqual(['test_a']);
    expect((await slim.events()).map(({ type }) => type)).toEqual(['test_d']);
  });

  it('its own keys, and nobody the keys of somebody else', async () => {
    const { max, mia } = app.cast;
    const [first, second, hers] = [await app.queue(max), await app.queue(max), await app.queue(mia)];
    await emit(app, { type: 'test_a', colour: 'red', size: 1 }, [max, mia], {
      personal: new Map([[mia.id, { colour: 'blue' }]]),
      queue: { id: second.id, extra: { echo: 'x' } },
    });
    const { id } = (await first.request()).body.events[0];
    expect(await first.events()).toEqual([{ id, type: 'test_a', colour: 'red', size: 1 }]);
    expect(await second.events()).toEqual([{ id, type: 'test_a', colour: 'red', size: 1, echo: 'x' }]);
    expect(await hers.events()).toEqual([{ id, type: 'test_a', colour: 'blue', size: 1 }]);
  });

  it('topics without a name under their display name, unless it can do with none', async () => {
    const { max } = app.cast;
    const aware = { notification_settings_null: true, empty_topic_name: true };
    const queues = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    const event = {
      type: 'test_a',
      topic: '',
      subject: '',
      orig_subject: '',
      topic_name: '',
      text: '',
      message_details: { 7: { topic: '' } },
    };
    await emit(app, event, [max]);
    const shown = 'general chat';
    const named = {
      topic: shown,
      subject: shown,
      orig_subject: shown,
      topic_name: shown,
      text: '',
      message_details: { 7: { topic: shown } },
    };
    expect(await queues[0]?.events()).toMatchObject([named]);
    expect(await queues[1]?.events()).toMatchObject([event]);
  });

  it('subscriptions with what holds for notifications, unless it knows what it means that they say nothing', async () => {
    const { max } = app.cast;
    const aware = { notification_settings_null: true };
    const [usual, able] = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    expectSuccess(await app.as(max).patch('/settings', { enable_stream_desktop_notifications: true }));
    await createChannel(app, max, 'notified');
    const added = async (queue: TestQueue) => {
      const events = await queue.events();
      return events.find(({ op }) => op === 'add').subscriptions[0];
    };
    const record = await added(able);
    expect(record).toMatchObject({ name: 'notified', desktop_notifications: null, push_notifications: null });
    const filled = { desktop_notifications: true, push_notifications: false };
    expect(await added(usual)).toEqual({
      ...record,
      ...filled,
      audible_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: null,
    });
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['notified'] }));
    const removed = (await usual.events()).find(({ op }) => op === 'remove');
    expect(Object.keys(removed.subscriptions[0]).sort()).toEqual(['name', 'stream_id']);
  });

  it('one deletion at a time, unless it can do with several', async () => {
    const { max } = app.cast;
    const able = { notification_settings_null: true, bulk_message_deletion: true };
    const [single, bulk] = [await app.queue(max), await app.queue(max, { client_capabilities: able })];
    const messageIds = Array.from({ length: 500 }, (_, at) => at + 1);
    await emit(app, { type: 'delete_message', message_ids: messageIds, message_type: 'private' }, [max]);
    await emit(app, { type: 'test_b' }, [max]);
    const [all] = await bulk.events();
    expect(all).toEqual({
      id: all.id,
      type: 'delete_message',
      message_ids: messageIds,
      message_type: 'private',
    });
    const each = (await single.request()).body.events;
    expect(each.slice(0, 500).map(({ message_id: messageId }: QueueEvent) => messageId)).toEqual(messageIds);
    expect(each[7]).toEqual({
      id: all.id + 7,
      type: 'delete_message',
      message_id: 8,
      message_type: 'private',
    });
    publish(app, { type: 'test_typing' }, [max]);
    single.lastEventId = each[7].id;
    const rest = await single.events();
    expect(rest.slice(0, 492).map(({ message_id: messageId }) => messageId)).toEqual(messageIds.slice(8));
    expect(rest.slice(492)).toMatchObject([{ type: 'test_b' }, { type: 'test_typing' }]);
  });
});

describe('Messages come', () => {
  const message = async (queue: TestQueue) => (await queue.events())[0].message;

  it('as Markdown or as HTML, with or without the addresses of pictures', async () => {
    const { max } = app.cast;
    const [plain, html] = [
      await app.queue(max),
      await app.queue(max, { apply_markdown: true, client_gravatar: false }),
    ];
    const asUsual = await app.queue(max, { apply_markdown: true, client_gravatar: 'null' });
    await say(max, 'Hello **you**');
    expect(await message(plain)).toMatchObject({
      content: 'Hello **you**',
      content_type: 'text/x-markdown',
      avatar_url: null,
    });
    expect(await message(html)).toMatchObject({
      content: '<p>Hello <strong>you</strong></p>',
      content_type: 'text/html',
      avatar_url: expect.stringContaining('https://'),
    });
    expect(await message(asUsual)).toMatchObject({ content_type: 'text/html', avatar_url: null });
  });

  it('with the flags of the one who gets them, and the echo for the queue that sent them', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, mia, 'flagged', { principals: [mia.id, max.id] });
    const [his, hers, otherOfHers] = [await app.queue(max), await app.queue(mia), await app.queue(mia)];
    const echo = { queue_id: hers.id, local_id: '7.01', read_by_sender: true };
    await sendTo(app, mia, 'flagged', 'soup', 'Look, @**Max Member**', echo);
    expect(await his.events()).toMatchObject([
      { type: 'message', flags: ['mentioned'] },
      { type: 'user_topic' },
    ]);
    const [own] = await hers.events();
    expect(own).toMatchObject({ flags: ['read'], local_message_id: '7.01' });
    const [other] = await otherOfHers.events();
    expect(other).toMatchObject({ flags: ['read'] });
    expect(other).not.toHaveProperty('local_message_id');
  });

  it('with the display name of the empty topic, unless the client can do without', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, mia, 'nameless', { principals: [mia.id, max.id] });
    const aware = { notification_settings_null: true, empty_topic_name: true };
    const [usual, able] = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    await sendTo(app, mia, 'nameless', '');
    expect((await message(usual)).subject).toBe('general chat');
    expect((await message(able)).subject).toBe('');
  });
});
