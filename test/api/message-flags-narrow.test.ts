import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const ALL = { anchor: 'oldest', num_before: 0, num_after: 5000, op: 'add', flag: 'read' };

const change = (member: Member, narrow: unknown, more: Parameters = {}) =>
  app.as(member).post('/messages/flags/narrow', { ...ALL, narrow, ...more });

const flagsOf = async (member: Member, id: number): Promise<string[]> =>
  (await fetchMessage(app, member, id)).flags;

const inChannel = (id: number) => [{ operator: 'channel', operand: id }];

/** A new channel of Mia's with five messages, three of them in the topic soup. */
async function channelWithMessages(members: readonly Member[]) {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  const id = await createChannel(app, mia, `channel ${++channels}`, { principals });
  const ids: number[] = [];
  for (const topic of ['soup', 'salad', 'soup', 'salad', 'soup']) ids.push(await sendTo(app, mia, id, topic));
  return { id, ids, name: `channel ${channels}` };
}

describe('POST /messages/flags/narrow', () => {
  it('changes what a narrow finds, and says how much that was', async () => {
    const { max } = app.cast;
    const { id, ids } = await channelWithMessages([max]);
    const soup = [ids[0], ids[2], ids[4]] as number[];
    expectSuccess(await app.as(max).post('/messages/flags', { messages: [ids[2]], op: 'add', flag: 'read' }));
    const narrow = [...inChannel(id), ['topic', 'soup']];
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await change(max, narrow))).toEqual({
        result: 'success',
        msg: '',
        processed_count: 3,
        updated_count: 2,
        first_processed_id: soup[0],
        last_processed_id: soup[2],
        found_oldest: true,
        found_newest: true,
        ignored_because_not_subscribed_channels: [],
      });
    });
    expect(events).toMatchObject([
      {
        event: {
          type: 'update_message_flags',
          op: 'add',
          flag: 'read',
          messages: [soup[0], soup[2]],
          all: false,
        },
        audience: [max.id],
      },
    ]);
    await expect(fetchIds(app, max, [...inChannel(id), ['is', 'unread']])).resolves.toEqual([ids[1], ids[3]]);
    expect(expectSuccess(await change(max, [...inChannel(id), ['is', 'unread']]))).toMatchObject({
      processed_count: 2,
      updated_count: 2,
    });
  });

  it('takes a range around an anchor', async () => {
    const { max } = app.cast;
    const { id, ids } = await channelWithMessages([max]);
    const around = { anchor: String(ids[2]), num_before: 1, num_after: 1, flag: 'starred' };
    expect(expectSuccess(await change(max, inChannel(id), around))).toMatchObject({
      processed_count: 3,
      first_processed_id: ids[1],
      last_processed_id: ids[3],
      found_oldest: false,
      found_newest: false,
    });
    const beyond = {
      anchor: String(ids[2]),
      num_before: 0,
      num_after: 9,
      include_anchor: false,
      op: 'remove',
    };
    expect(expectSuccess(await change(max, inChannel(id), { ...beyond, flag: 'starred' }))).toMatchObject({
      processed_count: 2,
      updated_count: 1,
      first_processed_id: ids[3],
      found_newest: true,
    });
    await expect(fetchIds(app, max, [...inChannel(id), ['is', 'starred']])).resolves.toEqual([
      ids[1],
      ids[2],
    ]);
    const first = { anchor: 'first_unread', num_before: 0, num_after: 0 };
    expect(expectSuccess(await change(max, inChannel(id), first))).toMatchObject({
      processed_count: 1,
      first_processed_id: ids[0],
    });
    const newest = { anchor: 'newest', num_before: 1, num_after: 5 };
    expect(expectSuccess(await change(max, inChannel(id), newest))).toMatchObject({
      first_processed_id: ids[4],
    });
  });

  it('does nothing where nothing is found', async () => {
    const { max } = app.cast;
    const { id } = await channelWithMessages([max]);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await change(max, [...inChannel(id), ['topic', 'bread']]))).toEqual({
        result: 'success',
        msg: '',
        processed_count: 0,
        updated_count: 0,
        first_processed_id: null,
        last_processed_id: null,
        found_oldest: true,
        found_newest: true,
        ignored_because_not_subscribed_channels: [],
      });
    });
    expect(events).toMatchObject([{ event: { messages: [] } }]);
  });

  it('reaches everything without terms, which may be null', async () => {
    const { mia, max } = app.cast;
    const direct = await sendDirect(app, mia, [max]);
    expectSuccess(await change(max, null));
    await expect(flagsOf(max, direct)).resolves.toEqual(['read']);
    expectSuccess(await change(max, [], { op: 'remove' }));
    await expect(flagsOf(max, direct)).resolves.toEqual([]);
  });

  it('stars what was never received, and leaves it read where nobody is subscribed', async () => {
    const { max } = app.cast;
    const { id, ids } = await channelWithMessages([]);
    expect(expectSuccess(await change(max, inChannel(id), { op: 'remove' }))).toMatchObject({
      processed_count: 5,
      updated_count: 0,
      ignored_because_not_subscribed_channels: [id],
    });
    expect(expectSuccess(await change(max, inChannel(id), { flag: 'starred' }))).toMatchObject({
      updated_count: 5,
      ignored_because_not_subscribed_channels: [],
    });
    await expect(flagsOf(max, ids[0]!)).resolves.toEqual(['read', 'starred', 'historical']);
  });

  it('cuts ranges of more than 5,000 without a word', async () => {
    const { mia, max } = app.cast;
    const { id, ids } = await channelWithMessages([mia, max]);
    const copies = await copyMessage(app, ids[0]!, 6000);
    const all = [...ids, ...copies];
    const counts = async (num_before: number, num_after: number) => {
      const range = { anchor: String(all[3000]), num_before, num_after };
      const { first_processed_id: first, last_processed_id: last } = expectSuccess(
        await change(max, inChannel(id), range),
      );
      return [3000 - all.indexOf(first), all.indexOf(last) - 3000];
    };
    await expect(counts(2000, 2000)).resolves.toEqual([2000, 2000]);
    await expect(counts(9000, 9000)).resolves.toEqual([2500, 2500]);
    await expect(counts(9000, 2100)).resolves.toEqual([2900, 2100]);
    await expect(counts(2100, 9000)).resolves.toEqual([2100, 2900]);
    await expect(counts(2 ** 52, 2 ** 52)).resolves.toEqual([2500, 2500]);
  });

  it('looks for the messages first and at the flag then', async () => {
    const { max } = app.cast;
    expectError(
      await change(max, [['channel', 'no such channel']], { flag: 'nonsense' }),
      'Invalid narrow operator: unknown channel no such channel',
      {
        code: 'BAD_NARROW',
        data: { desc: 'unknown channel no such channel' },
      },
    );
    expectError(await change(max, [], { anchor: 'soon', flag: 'nonsense' }), 'Invalid anchor');
    expectError(await change(max, [], { flag: 'nonsense' }), "Invalid flag: 'nonsense'");
    expectError(await change(max, [], { flag: 'historical' }), "Flag not editable: 'historical'");
    expectError(await change(max, [], { op: 'toggle' }), "Invalid message flag operation: 'toggle'");
  });

  it('refuses what is no range', async () => {
    const { max } = app.cast;
    expectError(
      await change(max, [], { anchor: '1', include_anchor: false, num_before: 1, num_after: 1 }),
      'The anchor can only be excluded at an end of the range',
    );
    expectError(await change(max, [], { num_before: -1 }), 'num_before is too small');
    expectError(await change(max, [], { num_after: 'x' }), 'num_after is not valid JSON');
    expectError(await change(max, 'x'), 'narrow is not valid JSON');
    expectError(await change(max, 7), 'narrow is not a list');
    expectError(
      await change(
        max,
        Array.from({ length: 101 }, () => ['is', 'unread']),
      ),
      'narrow is too long (limit: 100 items)',
    );
    for (const name of ['anchor', 'num_before', 'num_after', 'narrow', 'op', 'flag']) {
      expectError(await change(max, [], { [name]: undefined }), `Missing '${name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: name },
      });
    }
  });

  it('marks once what twenty clients mark at the same time', async () => {
    const { max } = app.cast;
    const { id } = await channelWithMessages([max]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(max, inChannel(id))));
    const updated = answers.map((answer) => expectSuccess(answer).updated_count as number);
    expect(updated.reduce((sum, one) => sum + one, 0)).toBe(5);
  });
});
