import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { giveInOrganization } from '../support/organization-setup';
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

const draft = (more: object = {}) => ({ type: '', to: [], topic: '', content: 'Soup', ...more });
const add = (member: Member, ...drafts: object[]) => app.as(member).post('/drafts', { drafts });
const edit = (member: Member, id: number, changed: object) =>
  app.as(member).patch(`/drafts/${id}`, { draft: changed });
const remove = (member: Member, id: number) => app.as(member).delete(`/drafts/${id}`);

async function added(member: Member, ...drafts: object[]): Promise<number[]> {
  return expectSuccess(await add(member, ...drafts)).ids;
}

async function draftsOf(member: Member) {
  const { count, drafts } = expectSuccess(await app.as(member).get('/drafts'));
  expect(drafts).toHaveLength(count);
  return drafts;
}

/** The record of a draft that was just stored. */
async function stored(member: Member, sent: object) {
  const [id] = await added(member, draft(sent));
  return (await draftsOf(member)).find((each: { id: number }) => each.id === id);
}

const UNKNOWN = 'Draft does not exist';
const NO_ID = 1_999_999_999;
const nowSeconds = () => Math.floor(clock.nowMs() / 1000);

const REFUSED: readonly [message: string, drafts: unknown, rest?: object][] = [
  [
    "Missing 'drafts' argument",
    undefined,
    { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'drafts' } },
  ],
  ['drafts is not valid JSON', 'soup'],
  ['drafts is not a list', '{}'],
  ['Invalid drafts[0]["type"]', [draft({ type: 'channel' })]],
  ['Invalid drafts[0]["type"]', [draft({ type: 'direct' })]],
  ['drafts[1]["to"] field is missing: Field required', [draft(), draft({ to: undefined })]],
  ['drafts[0]["topic"] field is missing: Field required', [draft({ topic: undefined })]],
  ['drafts[0]["to"] is not a list', [draft({ to: 7 })]],
  ['drafts[0]["to"][0] is not an integer', [draft({ to: ['7'] })]],
  ['Argument "id" at drafts[0]["id"] is unexpected', [draft({ id: 7 })]],
  ['drafts[0]["content"] cannot be blank', [draft({ content: ' \n' })]],
  ['Message must not contain null bytes', [draft({ content: 'a\0b' })]],
  ['Timestamp must not be negative.', [draft({ timestamp: -0.5 })]],
  ['drafts[0]["timestamp"] is too large', [draft({ timestamp: 1e15 })]],
  ['drafts[0]["timestamp"] is not a float', [draft({ timestamp: '7' })]],
  ['Topic must not contain null bytes', [draft({ type: 'stream', topic: 'a\0b' })]],
  ['Must specify exactly 1 channel ID for channel messages', [draft({ type: 'stream' })]],
  ['Must specify exactly 1 channel ID for channel messages', [draft({ type: 'stream', to: [1, 2] })]],
  ['Invalid channel ID', [draft({ type: 'stream', to: [NO_ID] })]],
  [`Invalid user ID ${NO_ID}`, [draft(), draft({ type: 'private', to: [NO_ID] })]],
  ['drafts[0]["to"] is too long (limit: 1000 items)', [draft({ type: 'private', to: Array(1001).fill(7) })]],
  ['drafts is too long (limit: 500 items)', Array(501).fill(draft())],
];

describe('Drafts', () => {
  it('are stored together, and told to their owner in one event', async () => {
    const { mia, max } = app.cast;
    await expect(draftsOf(mia)).resolves.toEqual([]);
    let ids: number[] = [];
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(
        await add(
          mia,
          draft({ type: 'stream', to: [channel], topic: 'lunch', timestamp: 1_700_000_000.9 }),
          draft({ type: 'private', to: [max.id], timestamp: 1_600_000_000 }),
          draft({ timestamp: null }),
        ),
      );
      expect(answer).toEqual({ result: 'success', msg: '', ids: expect.any(Array) });
      ids = answer.ids;
    });
    const drafts = [
      { type: 'stream', to: [channel], topic: 'lunch', timestamp: 1_700_000_000 },
      { type: 'private', to: [max.id], topic: '', timestamp: 1_600_000_000 },
      { type: '', to: [], topic: '', timestamp: nowSeconds() },
    ].map((each, at) => ({ id: ids[at], content: 'Soup', ...each }));
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'drafts', op: 'add', drafts }, [mia.id]],
    ]);
    const [inChannel, toMax, nowhere] = drafts;
    await expect(draftsOf(mia)).resolves.toEqual([nowhere, inChannel, toMax]);
    await expect(stateOf(app, mia, { wanted: ['drafts'] })).resolves.toEqual({
      drafts: [nowhere, inChannel, toMax],
    });
    await expect(draftsOf(max)).resolves.toEqual([]);
  });

  it('may be none at all, of which an event tells as well', async () => {
    const { robo } = app.cast;
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await add(robo)).ids).toEqual([]);
    });
    expect(events.map(({ event }) => event)).toEqual([{ type: 'drafts', op: 'add', drafts: [] }]);
  });

  it('come back as they can be sent', async () => {
    const { max, mia, gus } = app.cast;
    const shown = async (sent: object) => {
      const { id, timestamp, ...rest } = await stored(max, sent);
      expect([id, timestamp]).toEqual([expect.any(Number), nowSeconds()]);
      return rest;
    };
    const nowhere = { type: '', to: [], topic: '', content: 'Soup' };
    await expect(shown({ type: 'private' })).resolves.toEqual(nowhere);
    await expect(shown({ to: [NO_ID], topic: 'a\0b' })).resolves.toEqual(nowhere);
    await expect(
      shown({ type: 'private', to: [max.id, mia.id, mia.id, gus.id], topic: 'x' }),
    ).resolves.toEqual({
      ...nowhere,
      type: 'private',
      to: [mia.id, gus.id],
    });
    await expect(shown({ type: 'private', to: [max.id] })).resolves.toMatchObject({ to: [max.id] });
    const inTopic = async (topic: string) => (await shown({ type: 'stream', to: [channel], topic })).topic;
    await expect(inTopic('')).resolves.toBe('');
    await expect(inTopic('(no topic)')).resolves.toBe('(no topic)');
    await expect(inTopic('general chat')).resolves.toBe('general chat');
    await expect(inTopic('x'.repeat(61))).resolves.toBe(`${'x'.repeat(57)}...`);
    await expect(shown({ content: ' \n\t Soup \n' })).resolves.toEqual(nowhere);
    const { content } = await shown({ content: '𝒲'.repeat(10_001) });
    expect(Array.from(content as string)).toHaveLength(10_000);
    expect(content).toMatch(/𝒲\n\[message truncated\]$/);
    await expect(shown({ content: 'a\ud800b' })).resolves.toMatchObject({ content: 'a\ufffdb' });
  });

  it('are put in the place of others', async () => {
    const { mona } = app.cast;
    const [id = 0] = await added(mona, draft({ type: 'private', to: [mona.id], timestamp: 1 }));
    const other = draft({ content: 'Bread' });
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await edit(mona, id, other))).toEqual({ result: 'success', msg: '' });
      expectSuccess(await edit(mona, id, other));
    });
    const event = { type: 'drafts', op: 'update', draft: { id, ...other, timestamp: nowSeconds() } };
    expect(events.map((each) => [each.event, each.audience])).toEqual([
      [event, [mona.id]],
      [event, [mona.id]],
    ]);
    await expect(draftsOf(mona)).resolves.toEqual([event.draft]);
  });

  it('are listed with the one edited last first', async () => {
    const { robo } = app.cast;
    const ids = await added(robo, draft({ timestamp: 1 }), draft({ timestamp: 2 }), draft({ timestamp: 3 }));
    expectSuccess(await edit(robo, ids[0] ?? 0, draft({ content: 'Bread', timestamp: 4 })));
    const listed: { id: number }[] = await draftsOf(robo);
    expect(listed.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
    for (const id of ids) expectSuccess(await app.as(robo).delete(`/drafts/${id}`));
  });

  it('are removed', async () => {
    const { adam } = app.cast;
    const [id = 0] = await added(adam, draft());
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await remove(adam, id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'drafts', op: 'remove', draft_id: id }, [adam.id]],
    ]);
    expectError(await remove(adam, id), UNKNOWN, { status: 404 });
  });

  it("are nobody else's; what is sent is looked at first, and where it goes last", async () => {
    const { mia, olivia } = app.cast;
    const [own = 0] = await added(mia, draft());
    for (const id of [own, NO_ID]) {
      expectError(await edit(olivia, id, draft({ timestamp: -1 })), UNKNOWN, { status: 404 });
      expectError(await edit(olivia, id, draft({ content: ' ' })), 'draft["content"] cannot be blank');
      expectError(await remove(olivia, id), UNKNOWN, { status: 404 });
    }
  });

  it.each(REFUSED)('refuse with %s, and what comes with it', async (message, drafts, rest = {}) => {
    const { gus } = app.cast;
    const events = await app.captureEvents(async () => {
      const parameters: Parameters = drafts === undefined ? {} : { drafts };
      expectError(await app.as(gus).post('/drafts', parameters), message, rest);
    });
    expect(events).toEqual([]);
    await expect(draftsOf(gus)).resolves.toEqual([]);
  });

  it('are for channels that their owner reads, whether or not they may post there', async () => {
    const { mia, olivia, max, gus } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: true };
    const hidden = await createChannelWith(app, mia, [], 'cellar', options);
    const into = (to: number) => draft({ type: 'stream', to: [to], topic: 'x' });
    expectError(await add(max, into(hidden)), 'Invalid channel ID');
    const administrators = await createChannelWith(app, olivia, [gus], 'board', {
      can_send_message_group: { direct_members: [olivia.id], direct_subgroups: [] },
    });
    const [id = 0] = await added(gus, into(administrators));
    expectSuccess(await app.as(olivia).delete(`/streams/${administrators}`));
    expectError(await edit(gus, id, into(administrators)), 'Invalid channel ID');
    await expect(draftsOf(gus)).resolves.toMatchObject([{ type: 'stream', to: [administrators] }]);
    expectSuccess(await remove(gus, id));
  });

  it('are for people whom their owner may address', async () => {
    const { gus, adam } = app.cast;
    const gone = await app.addAccount({ ...adam, deliveryEmail: 'gone@example.com', fullName: 'Gone' });
    expectSuccess(await app.as(adam).delete(`/users/${gone.id}`));
    const to = (...people: Member[]) => draft({ type: 'private', to: people.map(({ id }) => id) });
    expectError(await add(adam, to(gone)), "'gone@example.com' is no longer using Zulip.");
    await giveInOrganization(app, 'can_access_all_users_group', 'role:members');
    expectError(await add(gus, to(adam)), 'You do not have permission to access some of the recipients.');
    expectSuccess(await add(gus, to(app.cast.mia)));
    await giveInOrganization(app, 'can_access_all_users_group', 'role:everyone');
    await giveInOrganization(app, 'direct_message_permission_group', 'role:nobody');
    expectSuccess(await add(gus, to(adam)));
    await giveInOrganization(app, 'direct_message_permission_group', 'role:everyone');
  });

  it('are forgotten when their owner no longer wants them stored, and no event tells so', async () => {
    const { mona } = app.cast;
    const [id = 0] = await added(mona, draft());
    const settings = (isEnabled: boolean) =>
      app.as(mona).patch('/settings', { enable_drafts_synchronization: isEnabled });
    const events = await app.captureEvents(async () => {
      expectSuccess(await settings(false));
      expectSuccess(await settings(false));
    });
    expect(events.map(({ event }) => event.type)).toEqual(['user_settings']);
    const refusal = 'User has disabled synchronizing drafts.';
    expectError(await app.as(mona).get('/drafts'), refusal);
    expectError(await app.as(mona).post('/drafts', { drafts: 'soup' }), refusal);
    expectError(await edit(mona, id, {}), refusal);
    expectError(await remove(mona, id), refusal);
    expectSuccess(await settings(true));
    await expect(draftsOf(mona)).resolves.toEqual([]);
  });

  it('are at most 500, also of those stored at the same instant', async () => {
    const { max } = app.cast;
    const count = (await draftsOf(max)).length;
    const many = (more: number) => Array.from({ length: more }, () => draft());
    expectSuccess(await add(max, ...many(498 - count)));
    const answers = await Promise.all([0, 1, 2, 3].map(() => add(max, draft())));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    expectError(await add(max, draft()), 'You can have at most 500 drafts.');
    expectSuccess(await add(max));
    const [{ id }] = await draftsOf(max);
    expectSuccess(await edit(max, id, draft({ content: 'Bread' })));
  });
});
