import { TransactionService } from '../../src/platform/database/transaction.service';
import { WebhookDelivery } from '../../src/features/integrations/outgoing-webhooks/webhook-delivery.entity';
import { ReplyAddress } from '../../src/features/mail-gateway/mail-gateway.entity';
import { MissedMessage } from '../../src/features/notifications/missed-mail/missed-message.entity';
import { OrganizationDirectory } from '../../src/features/organization-settings/organization.directory';
import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import type { Answer, Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelRecord, createChannel, createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import {
  columnsNamingMessages,
  copyMessage,
  expectConsistentRows,
  rowsOf,
  topicRows,
} from '../support/message-state';
import { changeOrganization, giveInOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';
import { untilWritesAreIn } from '../support/waiting-writes';
import { OffsetClock } from '../support/test-clocks';
import { upload } from '../support/upload-setup';

let app: TestApp;
let channels = 0;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's with Max in it. */
const channelWith = (people: readonly Member[] = [app.cast.max], options: Parameters = {}) =>
  createChannelWith(app, app.cast.mia, people, `deletions ${++channels}`, options);

const remove = (member: Member, id: number) => app.as(member).delete(`/messages/${id}`);
const removeTopic = (member: Member, channel: number, topic: string) =>
  app.as(member).post(`/streams/${channel}/delete_topic`, { topic_name: topic });

const change = (parameters: Parameters) => changeOrganization(app, parameters);
const organizationGroup = (setting: string, group: SystemGroupName) =>
  giveInOrganization(app, setting, group);

const NOT_ALLOWED = "You don't have permission to delete this message";
const TOO_LATE = 'The time limit for deleting this message has passed';

/**
 * Tables that name messages, and in which the message that goes has no row. A new table does not belong here: give the
 * message a row of it, so that the test sees the row go.
 */
const WITHOUT_ROWS: readonly string[] = ['messaging_receipt', 'sent_echo'];

describe('DELETE /messages/{message_id}', () => {
  it('takes the message away and tells those who are told of its reactions', async () => {
    const { mia, max, gus } = app.cast;
    const channel = await channelWith([max, gus]);
    const kept = await sendTo(app, mia, channel, 'soup');
    const id = await sendTo(app, mia, channel, 'Soup');
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await remove(mia, id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'delete_message',
          message_ids: [id],
          message_type: 'stream',
          stream_id: channel,
          topic: 'Soup',
        },
        audience: [max.id, mia.id, gus.id],
      }),
    ]);
    expectError(await app.as(mia).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'Soup', max: kept, count: 1 }]);
  });

  it('lets the topic go with its last message, and the channel forget its first', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const first = await sendTo(app, mia, channel, 'one');
    const second = await sendTo(app, mia, channel, 'two');
    const events = await app.captureEvents(async () => expectSuccess(await remove(mia, first)));
    expect(events.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'delete_message', message_ids: [first] }),
      {
        type: 'stream',
        op: 'update',
        property: 'first_message_id',
        value: second,
        stream_id: channel,
        name: `deletions ${channels}`,
      },
    ]);
    await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: second });
    await expect(topicRows(app, channel)).resolves.toMatchObject([{ name: 'two' }]);
    const more = await app.captureEvents(async () => expectSuccess(await remove(mia, second)));
    expect(more.at(-1)?.event).toMatchObject({ property: 'first_message_id', value: null });
    await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: null });
    await expect(topicRows(app, channel)).resolves.toEqual([]);
  });

  it('takes direct messages away', async () => {
    const { mia, max } = app.cast;
    const before = await sendDirect(app, mia, [max], 'one');
    const id = await sendDirect(app, mia, [max], 'two');
    const events = await app.captureEvents(async () => expectSuccess(await remove(mia, id)));
    expect(events).toEqual([
      expect.objectContaining({
        event: { type: 'delete_message', message_ids: [id], message_type: 'private' },
        audience: [max.id, mia.id],
      }),
    ]);
    await expect(fetchIds(app, max, [{ operator: 'dm', operand: [mia.id] }])).resolves.toEqual([before]);
  });

  it('leaves no row behind that names the message', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const link = await upload(app, mia);
    const id = await sendTo(app, mia, channel, 'rows', `@**Max Member** @**all** [file](${link})`);
    const content = JSON.stringify('anything');
    expectSuccess(await app.as(mia).post('/submessage', { message_id: id, msg_type: 'mine', content }));
    expectSuccess(await app.as(max).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expectSuccess(await app.as(mia).patch(`/messages/${id}`, { topic: 'lines' }));
    const call = { botId: max.id, messageId: id, calledAt: 0, durationMs: 0, attempt: 1 };
    await app.get(TransactionService).run((tx) => tx.repository(WebhookDelivery).insert(call));
    const missed = { userId: max.id, messageId: id, notedAt: 1, dueAt: 2, wasActive: false };
    await app.get(TransactionService).run((tx) => tx.repository(MissedMessage).insert(missed));
    const answer = { tokenHash: 'x', keyMark: 'x', userId: max.id, messageId: id, createdAt: 1 };
    await app.get(TransactionService).run((tx) => tx.repository(ReplyAddress).insert(answer));
    const columns = await columnsNamingMessages(app);
    const count = async () => {
      const found: Record<string, number> = {};
      for (const { table, column } of columns) {
        const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE ${column} = ?`;
        const [row] = await rowsOf<{ count: number }>(app, sql, [id]);
        found[table] = Number(row?.count);
      }
      return found;
    };
    const before = await count();
    expect(
      Object.keys(before)
        .filter((table) => before[table] === 0)
        .sort(),
    ).toEqual(WITHOUT_ROWS);
    const events = await app.captureEvents(async () => expectSuccess(await remove(mia, id)));
    const counts = await count();
    expect(Object.values(counts).every((rows) => rows === 0)).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({
          type: 'attachment',
          op: 'update',
          attachment: expect.objectContaining({ message_ids: [] }),
        }),
        audience: [mia.id],
      }),
    );
  });

  it('tells the deleter, who need not be in the channel', async () => {
    const { mia, max, adam } = app.cast;
    const channel = await channelWith();
    const id = await sendTo(app, mia, channel, 'soup');
    const events = await app.captureEvents(async () => expectSuccess(await remove(adam, id)));
    expect(events[0]?.audience).toEqual([adam.id, max.id, mia.id].sort((a, b) => a - b));
  });

  it('of messages that people received before they left, tells those who can still see them', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const id = await sendTo(app, mia, channel, 'soup');
    await app.as(max).delete('/users/me/subscriptions', { subscriptions: [`deletions ${channels}`] });
    const later = await sendTo(app, mia, channel, 'soup');
    const told = async (message: number) => {
      const events = await app.captureEvents(async () => expectSuccess(await remove(mia, message)));
      return events[0]?.audience;
    };
    await expect(told(later)).resolves.toEqual([mia.id]);
    await expect(told(id)).resolves.toEqual([max.id, mia.id]);
  });
});

describe('Whoever may delete a message', () => {
  it.each([
    ['its sender', 'mia'],
    ['administrators', 'adam'],
    ['owners', 'olivia'],
  ] as const)('%s', async (_, name) => {
    const id = await sendTo(app, app.cast.mia, await channelWith(), 'soup');
    expectSuccess(await remove(app.cast[name], id));
  });

  it.each(['max', 'mona', 'robo'] as const)('is not %s, as a rule', async (name) => {
    const id = await sendTo(app, app.cast.mia, await channelWith(), 'soup');
    const events = await app.captureEvents(async () =>
      expectError(await remove(app.cast[name], id), NOT_ALLOWED),
    );
    expect(events).toEqual([]);
  });

  it('owns the bot that sent it', async () => {
    const { mia, max, robo } = app.cast;
    const channel = await channelWith([max, robo]);
    const id = await sendTo(app, robo, channel, 'soup');
    expectError(await remove(max, id), NOT_ALLOWED);
    expectSuccess(await remove(mia, id));
  });

  it('is in `can_delete_any_message_group` of the organization or of the channel [VER-407]', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max, mona]);
    const [first, second] = [await sendTo(app, mia, channel, 'a'), await sendTo(app, mia, channel, 'b')];
    await organizationGroup('can_delete_any_message_group', 'role:moderators');
    expectSuccess(await remove(mona, first));
    expectError(await remove(max, second), NOT_ALLOWED);
    await organizationGroup('can_delete_any_message_group', 'role:administrators');
    expectSuccess(
      await app.as(app.cast.olivia).patch(`/streams/${channel}`, {
        can_delete_any_message_group: { new: { direct_members: [max.id], direct_subgroups: [] } },
      }),
    );
    expectSuccess(await remove(max, second));
  });

  it('is, for own messages, in `can_delete_own_message_group` of the organization or of the channel', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const direct = await sendDirect(app, mia, [max]);
    const id = await sendTo(app, mia, channel, 'soup');
    await organizationGroup('can_delete_own_message_group', 'role:moderators');
    expectError(await remove(mia, direct), NOT_ALLOWED);
    expectError(await remove(mia, id), NOT_ALLOWED);
    expectSuccess(
      await app.as(app.cast.olivia).patch(`/streams/${channel}`, {
        can_delete_own_message_group: { new: systemGroupId(app, 'role:members') },
      }),
    );
    expectSuccess(await remove(mia, id));
    await organizationGroup('can_delete_own_message_group', 'role:everyone');
    expectSuccess(await remove(mia, direct));
  });

  it('is in time, unless they may delete any message', async () => {
    const { mia, adam, max } = app.cast;
    const channel = await channelWith();
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push(await sendTo(app, mia, channel, 'soup'));
    const [first, second, third, fourth] = ids as [number, number, number, number];
    clock.aheadMs += 595_000;
    expectSuccess(await remove(mia, first));
    clock.aheadMs += 10_000;
    expectError(await remove(mia, second), TOO_LATE);
    expectError(await remove(max, second), NOT_ALLOWED);
    expectSuccess(await remove(adam, second));
    await change({ message_content_delete_limit_seconds: 1200 });
    expectSuccess(await remove(mia, third));
    clock.aheadMs += 2_000_000;
    expectError(await remove(mia, fourth), TOO_LATE);
    await change({ message_content_delete_limit_seconds: 'unlimited' });
    expect(app.get(OrganizationDirectory).settings.message_content_delete_limit_seconds).toBeNull();
    expectSuccess(await remove(mia, fourth));
    await change({ message_content_delete_limit_seconds: 600 });
  });

  it('reaches the message, and its channel is not archived', async () => {
    const { mia, max, adam, olivia } = app.cast;
    const secret = await channelWith([], { invite_only: true });
    const id = await sendTo(app, mia, secret, 'soup');
    for (const member of [max, adam, olivia]) expectError(await remove(member, id), 'Invalid message(s)');
    const direct = await sendDirect(app, mia, [max]);
    expectError(await remove(adam, direct), 'Invalid message(s)');
    expectError(await remove(mia, 999_999_999), 'Invalid message(s)');
    expectError(await remove(mia, 99_999_999_999), 'Invalid message(s)');
    const archived = await channelWith();
    const inArchived = await sendTo(app, mia, archived, 'soup');
    expectSuccess(await app.as(olivia).delete(`/streams/${archived}`));
    expectError(await remove(mia, inArchived), 'Invalid message(s)');
    await expect(fetchMessage(app, mia, inArchived)).resolves.toMatchObject({ id: inArchived });
  });

  it('is one of twenty who try at once', async () => {
    const { mia, adam } = app.cast;
    const channel = await channelWith();
    await sendTo(app, mia, channel, 'soup');
    const id = await sendTo(app, mia, channel, 'soup');
    let answers: Awaited<ReturnType<typeof remove>>[] = [];
    const events = await app.captureEvents(async () => {
      answers = await Promise.all(Array.from({ length: 20 }, (_, i) => remove(i % 2 ? mia : adam, id)));
    });
    expect(events).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const { body, status } of refused) {
      expect(status).toBe(400);
      expect(['Invalid message(s)', 'Message already deleted']).toContain(body.msg);
    }
  });

  it('does not get in the way of those who react or send at that moment', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    for (let round = 0; round < 6; round++) {
      const id = await sendTo(app, mia, channel, 'crossing');
      const [, deleted, ...reactions] = await Promise.all([
        sendTo(app, max, channel, 'crossing'),
        remove(mia, id),
        ...['tada', 'smile', 'heart'].map((emoji_name) =>
          app.as(max).post(`/messages/${id}/reactions`, { emoji_name }),
        ),
      ]);
      expectSuccess(deleted);
      for (const { status } of reactions) expect([200, 400]).toContain(status);
      await expect(rowsOf(app, 'SELECT id FROM reaction WHERE message_id = ?', [id])).resolves.toEqual([]);
    }
  });
});

describe('POST /streams/{stream_id}/delete_topic', () => {
  const fill = async (channel: number, topic: string, count: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let i = 0; i < count; i++) ids.push(await sendTo(app, app.cast.mia, channel, topic, `${i}`));
    return ids;
  };

  it('takes all messages of the topic, in any case of its name, and nothing else', async () => {
    const { mia, max, adam } = app.cast;
    const channel = await channelWith();
    const kept = await sendTo(app, mia, channel, 'other');
    const ids = await fill(channel, 'Topic', 5);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await removeTopic(adam, channel, ' topic '))).toMatchObject({ complete: true });
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'delete_message',
          message_ids: ids,
          message_type: 'stream',
          stream_id: channel,
          topic: 'Topic',
        },
        audience: [adam.id, max.id, mia.id].sort((a, b) => a - b),
      }),
      expect.objectContaining({
        event: expect.objectContaining({ type: 'user_topic', topic_name: 'Topic', visibility_policy: 0 }),
        audience: [mia.id],
      }),
    ]);
    await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'other', max: kept, count: 1 }]);
  });

  it('takes along what people have said about it who see nothing of it any more', async () => {
    const { mia, max, adam } = app.cast;
    const said = async (channel: number) => {
      const sql = 'SELECT user_id, visibility_policy FROM user_topic WHERE channel_id = ? ORDER BY user_id';
      const rows = await rowsOf<{ user_id: number; visibility_policy: number }>(app, sql, [channel]);
      return Object.fromEntries(rows.map((row) => [row.user_id, row.visibility_policy]));
    };
    const say = async (channel: number, policy: number) =>
      expectSuccess(
        await app
          .as(max)
          .post('/user_topics', { stream_id: channel, topic: 'topic', visibility_policy: policy }),
      );
    const open = await channelWith();
    await fill(open, 'topic', 2);
    await say(open, 1);
    await expect(said(open)).resolves.toEqual({ [mia.id]: 3, [max.id]: 1 });
    expectSuccess(await removeTopic(adam, open, 'topic'));
    await expect(said(open)).resolves.toEqual({});

    const name = 'of two ages';
    const secret = await createChannel(app, mia, name, {
      invite_only: true,
      history_public_to_subscribers: false,
      principals: [mia.id],
    });
    const [older] = await fill(secret, 'topic', 1);
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [max.id, adam.id],
      }),
    );
    await fill(secret, 'topic', 2);
    await say(secret, 2);
    expectSuccess(await removeTopic(adam, secret, 'topic'));
    await expect(topicRows(app, secret)).resolves.toEqual([{ name: 'topic', max: older, count: 1 }]);
    await expect(said(secret)).resolves.toEqual({ [mia.id]: 3 });
  });

  it('understands the display name of the empty topic, and a topic that is not there', async () => {
    const { adam } = app.cast;
    const channel = await channelWith();
    await fill(channel, '', 2);
    expect(expectSuccess(await removeTopic(adam, channel, 'none'))).toMatchObject({ complete: true });
    expect(expectSuccess(await removeTopic(adam, channel, 'general chat'))).toMatchObject({ complete: true });
    await expect(topicRows(app, channel)).resolves.toEqual([]);
  });

  it('is for administrators who reach the channel', async () => {
    const { mia, mona, gus, adam } = app.cast;
    const channel = await channelWith();
    await fill(channel, 'topic', 1);
    for (const member of [mia, mona, gus]) {
      expectError(await removeTopic(member, channel, 'topic'), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
    const secret = await channelWith([], { invite_only: true });
    await fill(secret, 'topic', 1);
    expectError(await removeTopic(adam, secret, 'topic'), 'Invalid channel ID');
    expectError(await removeTopic(adam, 999_999, 'topic'), 'Invalid channel ID');
    expectError(
      await app.as(adam).post(`/streams/${channel}/delete_topic`),
      "Missing 'topic_name' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'topic_name' } },
    );
  });

  it('of protected history, takes only what the administrator can see', async () => {
    const { mia, adam } = app.cast;
    const channel = await channelWith([], { invite_only: true, history_public_to_subscribers: false });
    const unseen = await fill(channel, 'topic', 2);
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: `deletions ${channels}` }],
        principals: [adam.id],
      }),
    );
    await fill(channel, 'topic', 2);
    expect(expectSuccess(await removeTopic(adam, channel, 'topic'))).toMatchObject({ complete: true });
    await expect(fetchIds(app, mia, [{ operator: 'channel', operand: channel }])).resolves.toEqual(unseen);
  });

  // Orders requests by the queue in front of the one writer, which only SQLite has.
  const onSqlite = process.env.TEST_ENGINE === 'postgres' ? it.skip : it;

  onSqlite('is for administrators who still are when its turn comes', async () => {
    const { olivia, mia, adam } = app.cast;
    const channel = await channelWith();
    const ids = await fill(channel, 'late', 2);
    const setRole = (role: number) => app.as(olivia).patch(`/users/${adam.id}`, { role });
    const answers: Promise<Answer>[] = [];
    await app.get(TransactionService).runExclusive(async () => {
      answers.push(setRole(400));
      await untilWritesAreIn(app);
      answers.push(removeTopic(adam, channel, 'late'));
      await untilWritesAreIn(app, 2);
    });
    const [changed, removed] = (await Promise.all(answers)) as [Answer, Answer];
    expectSuccess(changed);
    expectError(removed, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
    expectSuccess(await setRole(200));
    await expect(fetchIds(app, mia, [{ operator: 'channel', operand: channel }])).resolves.toEqual(ids);
  });

  it('goes in steps of 500, and says when it has not come to the end in time', async () => {
    const { mia, adam } = app.cast;
    const channel = await channelWith();
    const [first] = await fill(channel, 'long', 1);
    await copyMessage(app, first as number, 1200);
    let calls = 0;
    const realNow = clock.nowMs.bind(clock);
    const slow = jest.spyOn(clock, 'nowMs').mockImplementation(() => realNow() + 5_000 * calls++);
    const partly = await app.captureEvents(async () => {
      expect(expectSuccess(await removeTopic(adam, channel, 'long'))).toMatchObject({ complete: false });
    });
    slow.mockRestore();
    const sizes = (events: typeof partly) =>
      events
        .filter(({ event }) => event.type === 'delete_message')
        .map(({ event }) => event.message_ids.length);
    const done = sizes(partly);
    expect([[500], [500, 500]]).toContainEqual(done);
    const rest = await app.captureEvents(async () => {
      expect(expectSuccess(await removeTopic(adam, channel, 'long'))).toMatchObject({ complete: true });
    });
    const total = [...done, ...sizes(rest)].reduce((sum, size) => sum + size, 0);
    expect(total).toBe(1201);
    await expect(fetchIds(app, mia, [{ operator: 'channel', operand: channel }])).resolves.toEqual([]);
  });
});
