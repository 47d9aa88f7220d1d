import { Role } from '../../src/platform/actor';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;
const clock = new StoppedTimeOfDay();

beforeAll(async () => {
  app = await TestApp.start({ clock });
  const { mia, max, gus } = app.cast;
  channel = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

afterAll(() => app.stop());

const nowSeconds = () => Math.floor(clock.nowMs() / 1000);
const inSeconds = (seconds: number) => nowSeconds() + seconds;

const schedule = (member: Member, parameters: Parameters) =>
  app.as(member).post('/scheduled_messages', {
    content: 'Soup',
    scheduled_delivery_timestamp: inSeconds(1000),
    ...parameters,
  });
const edit = (member: Member, id: number, parameters: Parameters) =>
  app.as(member).patch(`/scheduled_messages/${id}`, parameters);
const remove = (member: Member, id: number) => app.as(member).delete(`/scheduled_messages/${id}`);

const toChannel = (more: Parameters = {}) => ({ type: 'channel', to: channel, topic: 'lunch', ...more });
const toPeople = (...people: Member[]) => ({ type: 'direct', to: people.map(({ id }) => id) });

async function scheduled(member: Member, parameters: Parameters): Promise<number> {
  return expectSuccess(await schedule(member, parameters)).scheduled_message_id;
}

async function list(member: Member) {
  return expectSuccess(await app.as(member).get('/scheduled_messages')).scheduled_messages;
}

async function record(member: Member, id: number) {
  const found = (await list(member)).filter((each: Parameters) => each.scheduled_message_id === id);
  expect(found).toHaveLength(1);
  return found[0];
}

const UNKNOWN = 'Scheduled message does not exist';
const NOT_IN_FUTURE = 'Scheduled delivery time must be in the future.';
const NO_ID = 1_999_999_999;

describe('Scheduled messages', () => {
  it('are scheduled, listed by their time and told to their sender', async () => {
    const { mia, max } = app.cast;
    await expect(list(mia)).resolves.toEqual([]);
    const times = [inSeconds(2000), inSeconds(1000)];
    let ids: number[] = [];
    const events = await app.captureEvents(async () => {
      const first = expectSuccess(
        await schedule(mia, {
          ...toChannel({ type: 'stream', topic: ' lunch ', content: '\n **Soup** \n' }),
          scheduled_delivery_timestamp: times[0],
        }),
      );
      expect(first).toEqual({ result: 'success', msg: '', scheduled_message_id: expect.any(Number) });
      const second = await scheduled(mia, { ...toPeople(max), scheduled_delivery_timestamp: times[1] });
      ids = [first.scheduled_message_id, second];
    });
    const inChannel = {
      scheduled_message_id: ids[0],
      type: 'stream',
      to: channel,
      topic: 'lunch',
      content: ' **Soup**',
      rendered_content: '<p><strong>Soup</strong></p>',
      scheduled_delivery_timestamp: times[0],
      failed: false,
    };
    const direct = {
      scheduled_message_id: ids[1],
      type: 'private',
      to: [max.id],
      content: 'Soup',
      rendered_content: '<p>Soup</p>',
      scheduled_delivery_timestamp: times[1],
      failed: false,
    };
    expect(events.map(({ event, audience }) => [event, audience])).toEqual(
      [inChannel, direct].map((each) => [
        { type: 'scheduled_messages', op: 'add', scheduled_messages: [each] },
        [mia.id],
      ]),
    );
    await expect(list(mia)).resolves.toEqual([direct, inChannel]);
    await expect(stateOf(app, mia, { wanted: ['scheduled_messages'] })).resolves.toEqual({
      scheduled_messages: [direct, inChannel],
    });
    await expect(list(max)).resolves.toEqual([]);
  });

  it('go to everybody named, once, and to oneself only when nobody else is', async () => {
    const { max, mia, gus } = app.cast;
    const to = async (...people: Member[]) =>
      (await record(max, await scheduled(max, toPeople(...people)))).to;
    const others = [mia.id, gus.id].sort((a, b) => a - b);
    await expect(to(gus, max, mia, gus)).resolves.toEqual(others);
    await expect(to(max)).resolves.toEqual([max.id]);
  });

  it.each<[string, () => Parameters, object?]>([
    [
      'Invalid type: Value error, Not in the list of possible values',
      () => ({ type: 'room', to: 1 }),
      { code: 'BAD_REQUEST' },
    ],
    ['to["int"] is not an integer', () => toChannel({ to: '"kitchen"' })],
    ['to["int"] is not an integer', () => toChannel({ to: ['mia@example.com'] })],
    [
      'scheduled_delivery_timestamp is not an integer',
      () => toChannel({ scheduled_delivery_timestamp: 1.5 }),
    ],
    ['scheduled_delivery_timestamp is too large', () => toChannel({ scheduled_delivery_timestamp: 1e15 })],
    [NOT_IN_FUTURE, () => toChannel({ to: [channel], scheduled_delivery_timestamp: nowSeconds() })],
    ['Invalid data type for channel ID', () => toChannel({ to: [channel] })],
    ['Invalid data type for recipients', () => ({ type: 'private', to: channel })],
    ['Message must have recipients', () => ({ type: 'direct', to: [] })],
    [`Invalid user ID ${NO_ID}`, () => ({ type: 'direct', to: [NO_ID] })],
    ['Missing topic', () => toChannel({ topic: undefined })],
    ['Invalid character in topic, at position 2!', () => toChannel({ topic: 'a\nb' })],
    ['Message must not be empty', () => toChannel({ content: ' \n' })],
    [
      `Channel with ID '${NO_ID}' does not exist`,
      () => toChannel({ to: NO_ID }),
      { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: NO_ID } },
    ],
    [
      "Missing 'scheduled_delivery_timestamp' argument",
      () => toChannel({ scheduled_delivery_timestamp: undefined }),
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'scheduled_delivery_timestamp' } },
    ],
  ])('are refused with %s', async (message, parameters, rest = {}) => {
    const { gus } = app.cast;
    const events = await app.captureEvents(async () => {
      expectError(await schedule(gus, parameters()), message, rest);
    });
    expect(events).toEqual([]);
    await expect(list(gus)).resolves.toEqual([]);
  });

  it('are refused where they could not be sent now', async () => {
    const { olivia, gus, mia } = app.cast;
    const board = await createChannelWith(app, olivia, [gus], 'board', {
      can_send_message_group: { direct_members: [olivia.id], direct_subgroups: [] },
    });
    const refusal = 'You do not have permission to post in this channel.';
    expectError(await schedule(gus, toChannel({ to: board })), refusal);
    const id = await scheduled(gus, toChannel());
    expectError(await edit(gus, id, { to: board }), refusal);
    expectError(await edit(gus, id, { type: 'direct', to: [mia.id, NO_ID] }), `Invalid user ID ${NO_ID}`);
    expectSuccess(await remove(gus, id));
  });

  it('are changed in part; HTML follows the content alone', async () => {
    const { mona, max, olivia } = app.cast;
    const room = await createChannelWith(app, mona, [], 'office');
    const id = await scheduled(mona, { ...toChannel({ to: room }), content: `@**${max.fullName}**` });
    const before = await record(mona, id);
    expect(before.rendered_content).toContain('user-mention');
    const later = inSeconds(5000);
    const states: unknown[] = [];
    const events = await app.captureEvents(async () => {
      for (const change of [
        { topic: ' dinner ' },
        { topic: 'general chat' },
        { scheduled_delivery_timestamp: later },
        { scheduled_delivery_timestamp: later },
        { type: 'direct', to: [max.id, mona.id] },
        { topic: 'ignored' },
        { to: [mona.id] },
        { content: 'Bread' },
        { type: 'channel', to: room, topic: '(no topic)' },
      ]) {
        expect(expectSuccess(await edit(mona, id, change))).toEqual({ result: 'success', msg: '' });
        states.push(await record(mona, id));
      }
    });
    const at = { scheduled_delivery_timestamp: later };
    const { topic: _, ...direct } = { ...before, ...at, type: 'private' };
    const bread = { content: 'Bread', rendered_content: '<p>Bread</p>' };
    expect(states).toEqual([
      { ...before, topic: 'dinner' },
      { ...before, topic: '' },
      { ...before, topic: '', ...at },
      { ...before, topic: '', ...at },
      { ...direct, to: [max.id] },
      { ...direct, to: [max.id] },
      { ...direct, to: [mona.id] },
      { ...direct, to: [mona.id], ...bread },
      { ...before, topic: '', ...at, ...bread },
    ]);
    expect(events.map(({ event, audience }) => [event, audience])).toEqual(
      states.map((scheduled_message) => [
        { type: 'scheduled_messages', op: 'update', scheduled_message },
        [mona.id],
      ]),
    );
    expectError(await edit(olivia, id, { topic: 'mine' }), UNKNOWN, { status: 404 });
  });

  it.each<[string, Parameters]>([
    ['Nothing to change', {}],
    ['Recipient required when updating type of scheduled message.', { type: 'direct' }],
    ['Topic required when updating scheduled message type to channel.', { type: 'stream', to: 7 }],
    [NOT_IN_FUTURE, { scheduled_delivery_timestamp: 1 }],
    ['Invalid data type for channel ID', { to: [7] }],
    ['Invalid data type for recipients', { type: 'private', to: 7 }],
    ['Invalid character in topic, at position 1!', { topic: '\u0007' }],
    ['Message must not be empty', { content: '' }],
    ['Invalid type: Value error, Not in the list of possible values', { type: 'room' }],
  ])('refuse a change with %s', async (message, change) => {
    const { adam, mia } = app.cast;
    const room = await createChannelWith(app, mia, [adam], `room for ${message}`.slice(0, 60));
    const id = await scheduled(adam, toChannel({ to: room }));
    const before = await record(adam, id);
    expectError(await edit(adam, id, change), message);
    await expect(record(adam, id)).resolves.toEqual(before);
  });

  it('are deleted, by their sender alone', async () => {
    const { mia, robo, olivia } = app.cast;
    const id = await scheduled(robo, toPeople(mia));
    for (const foreign of [id, NO_ID]) {
      expectError(await remove(olivia, foreign), UNKNOWN, { status: 404 });
      expectError(await edit(olivia, foreign, { content: 'x' }), UNKNOWN, { status: 404 });
    }
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await remove(robo, id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, [robo.id]],
    ]);
    expectError(await remove(robo, id), UNKNOWN, { status: 404 });
    expectError(await edit(robo, id, { content: 'x' }), UNKNOWN, { status: 404 });
  });

  it('are at most 500, with 4,000,000 characters', async () => {
    const role = Role.member;
    const many = await app.addAccount({ deliveryEmail: 'many@example.com', fullName: 'Many', role });
    const fill = (count: number, content: string) =>
      app.writeRows((tx) =>
        tx.query(
          `INSERT INTO scheduled_message (user_id, recipient_ids, topic, content, rendered_content, client_name,
             is_read_by_sender, deliver_at, has_failed)
           WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           SELECT CAST(? AS INTEGER), '[]', '', CAST(? AS TEXT), '', '', TRUE, 0, TRUE FROM n`,
          [count, many.id, content],
        ),
      );
    await fill(498, 'x');
    const answers = await Promise.all([0, 1, 2, 3].map(() => schedule(many, toPeople(many))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    expectError(await schedule(many, toPeople(many)), 'You can have at most 500 scheduled messages.');
    const [{ scheduled_message_id: id }] = (await list(many)).slice(-1);
    for (const each of (await list(many)).slice(0, 400)) await remove(many, each.scheduled_message_id);
    await fill(1, 'x'.repeat(3_999_990));
    const refusal = 'Scheduled messages too large. Send or delete some first.';
    expectError(await edit(many, id, { content: 'x'.repeat(1000) }), refusal);
  });
});
