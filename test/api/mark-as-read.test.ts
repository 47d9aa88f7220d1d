import { MessageStoreService } from '../../src/features/messages/sending/message-store.service';
import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { gate } from '../support/contract-suite';
import { expectError, expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A new channel of Mia's that Max is subscribed to as well. */
async function channel(): Promise<{ id: number; name: string }> {
  const { mia, max } = app.cast;
  const name = `channel ${++channels}`;
  return { name, id: await createChannel(app, mia, name, { principals: [mia.id, max.id] }) };
}

const markAll = async (member: Member) =>
  expect(expectSuccess(await app.as(member).post('/mark_all_as_read'))).toEqual({
    result: 'success',
    msg: '',
    complete: true,
  });
const markChannel = (member: Member, stream_id: unknown) =>
  app.as(member).post('/mark_stream_as_read', { stream_id });
const markTopic = (member: Member, stream_id: unknown, topic_name: string) =>
  app.as(member).post('/mark_topic_as_read', { stream_id, topic_name });
const unread = (member: Member) => fetchIds(app, member, [['is', 'unread']], { num_before: 5000 });

const readEvent = (messages: readonly number[], all = false) =>
  expect.objectContaining({
    event: { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all },
    audience: [app.cast.max.id],
  });

async function rows(table: string, userId: number): Promise<object[]> {
  return app.get(Database).read.query(`SELECT * FROM ${table} WHERE user_id = ?`, [userId]);
}

describe('POST /mark_all_as_read', () => {
  it('marks everything as read and says so in one event', async () => {
    const { mia, max } = app.cast;
    const { id } = await channel();
    await sendTo(app, mia, id, 'x');
    await sendDirect(app, mia, [max]);
    const events = await app.captureEvents(() => markAll(max));
    expect(events).toEqual([readEvent([], true)]);
    await expect(unread(max)).resolves.toEqual([]);
    const later = await sendTo(app, mia, id, 'x');
    await expect(unread(max)).resolves.toEqual([later]);
    expect(await app.captureEvents(() => markAll(max))).toEqual([readEvent([], true)]);
  });

  it('keeps one number, however much there was', async () => {
    const { mia, max } = app.cast;
    const { id } = await channel();
    const ids = await copyMessage(app, await sendTo(app, mia, id, 'x'), 5000);
    expectSuccess(
      await app.as(max).post('/messages/flags', { messages: ids.slice(0, 3000), op: 'add', flag: 'read' }),
    );
    expect((await rows('read_block', max.id)).length).toBeGreaterThan(2);
    await markAll(max);
    await expect(rows('read_block', max.id)).resolves.toEqual([]);
    await expect(rows('read_watermark', max.id)).resolves.toEqual([
      { user_id: max.id, message_id: ids.at(-1) },
    ]);
    const again = { messages: [ids[10]], op: 'remove', flag: 'read' };
    expectSuccess(await app.as(max).post('/messages/flags', again));
    await expect(unread(max)).resolves.toEqual([ids[10]]);
    await expect(rows('read_block', max.id)).resolves.toHaveLength(1);
    await markAll(max);
    await expect(unread(max)).resolves.toEqual([]);
  });

  it('waits for a message that is on its way, which would have become visible below it', async () => {
    const { mia, max } = app.cast;
    const { id } = await channel();
    await sendTo(app, mia, id, 'x');
    const store = app.get(MessageStoreService);
    const insertFlags = store.insertFlags.bind(store);
    const [reached, released] = [gate(), gate()];
    const delayed = jest.spyOn(store, 'insertFlags').mockImplementationOnce(async (...parameters) => {
      reached.open();
      await released.opened;
      return insertFlags(...parameters);
    });
    const events = await app.captureEvents(async () => {
      const sending = sendTo(app, mia, id, 'slow');
      await reached.opened;
      const marking = markAll(max);
      const sendingMore = sendTo(app, mia, id, 'fast');
      setTimeout(released.open, 200);
      await Promise.all([sending, marking, sendingMore]);
    });
    delayed.mockRestore();
    const order = events.map(({ event }) => (event.type === 'message' ? event.message.subject : event.flag));
    const after = order.slice(order.indexOf('read') + 1);
    expect(order).toContain('slow');
    const unreadNow = await Promise.all((await unread(max)).map((one) => fetchMessage(app, max, one)));
    expect(unreadNow.map(({ subject }) => subject)).toEqual(after);
  });

  it('can be called by twenty clients at once while messages arrive', async () => {
    const { mia, max } = app.cast;
    const { id } = await channel();
    await sendTo(app, mia, id, 'x');
    const events = await app.captureEvents(() =>
      Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await sendTo(app, mia, id, `topic ${i % 3}`);
          await markAll(max);
        }),
      ),
    );
    const lastRead = events.findLastIndex(({ event }) => event.all === true);
    const after = events.slice(lastRead).flatMap(({ event }) => event.message?.id ?? []);
    await expect(unread(max)).resolves.toEqual(after);
  });
});

describe('POST /mark_stream_as_read', () => {
  it('marks what is unread in a channel, and only there', async () => {
    const { mia, max } = app.cast;
    await markAll(max);
    const [one, other] = [await channel(), await channel()];
    const ids = [await sendTo(app, mia, one.id, 'x'), await sendTo(app, mia, one.id, 'y')];
    const elsewhere = await sendTo(app, mia, other.id, 'x');
    const direct = await sendDirect(app, mia, [max]);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await markChannel(max, one.id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([readEvent(ids)]);
    await expect(unread(max)).resolves.toEqual([elsewhere, direct]);
    const nothing = await app.captureEvents(async () => expectSuccess(await markChannel(max, one.id)));
    expect(nothing).toEqual([]);
  });

  it('marks very much in several steps', async () => {
    const { mia, max } = app.cast;
    const { id } = await channel();
    const first = await sendTo(app, mia, id, 'x');
    const ids = [first, ...(await copyMessage(app, first, 12_000))];
    const events = await app.captureEvents(async () => expectSuccess(await markChannel(max, id)));
    expect(events.map(({ event }) => event.messages.length)).toEqual([10_000, 2001]);
    expect(events.flatMap(({ event }) => event.messages)).toEqual(ids);
  });

  it('marks archived channels too', async () => {
    const { mia, max, olivia } = app.cast;
    const { id } = await channel();
    const message = await sendTo(app, mia, id, 'x');
    expectSuccess(await app.as(olivia).delete(`/streams/${id}`));
    expectSuccess(await markChannel(max, id));
    await expect(unread(max)).resolves.not.toContain(message);
  });

  it('refuses channels that are unknown or out of reach', async () => {
    const { mia, max, gus } = app.cast;
    const secret = await createChannel(app, mia, 'secret', { invite_only: true });
    for (const id of [secret, 0, -1, 2 ** 31, 2 ** 53 - 1]) {
      expectError(await markChannel(max, id), 'Invalid channel ID');
      expectError(await markTopic(max, id, 'x'), 'Invalid channel ID');
      expectError(await markTopic(max, id, ''), 'Invalid channel ID');
    }
    expectError(await markChannel(gus, (await channel()).id), 'Invalid channel ID');
    expectError(await markChannel(max, '"1"'), 'stream_id is not an integer');
    expectError(await markChannel(max, undefined), "Missing 'stream_id' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'stream_id' },
    });
  });
});

describe('POST /mark_topic_as_read', () => {
  it('marks a topic in any spelling, and only that', async () => {
    const { mia, max } = app.cast;
    await markAll(max);
    const { id } = await channel();
    const ids = [await sendTo(app, mia, id, 'Soup'), await sendTo(app, mia, id, 'soup')];
    const other = await sendTo(app, mia, id, 'salad');
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await markTopic(max, id, 'SOUP'))).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([readEvent(ids)]);
    await expect(unread(max)).resolves.toEqual([other]);
    expect(await app.captureEvents(async () => expectSuccess(await markTopic(max, id, 'soup')))).toEqual([]);
  });

  it('takes the display name for the empty topic, and nothing for the whole channel', async () => {
    const { mia, max } = app.cast;
    await markAll(max);
    const { id } = await channel();
    const unnamed = await sendTo(app, mia, id, '');
    const named = await sendTo(app, mia, id, 'soup');
    expectSuccess(await markTopic(max, id, 'general chat'));
    await expect(unread(max)).resolves.toEqual([named]);
    const again = { messages: [unnamed], op: 'remove', flag: 'read' };
    expectSuccess(await app.as(max).post('/messages/flags', again));
    expectSuccess(await markTopic(max, id, ''));
    await expect(unread(max)).resolves.toEqual([]);
  });

  it('refuses topics of which somebody has received nothing', async () => {
    const { mia, max } = app.cast;
    const foreign = await createChannel(app, mia, 'foreign');
    const message = await sendTo(app, mia, foreign, 'soup');
    expectError(await markTopic(max, foreign, 'soup'), "No such topic 'soup'");
    expectError(await markTopic(max, foreign, 'salad'), "No such topic 'salad'");
    expectError(await markTopic(max, foreign, 'general chat'), "No such topic 'general chat'");
    const star = { messages: [message], op: 'add', flag: 'starred' };
    expectSuccess(await app.as(max).post('/messages/flags', star));
    expectSuccess(await markTopic(max, foreign, 'soup'));
  });
});
