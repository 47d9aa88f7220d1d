import { RetentionService } from '../../src/features/message-changes/deletion/retention.service';
import { messagesDeleted } from '../../src/features/messages/messages.module';
import { Role } from '../../src/platform/actor';
import { Hooks } from '../../src/platform/hooks/hooks';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { addAccount } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { rowsOf } from '../support/message-state';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { attachmentsOf, load, upload } from '../support/upload-setup';
import { untilWritesWait } from '../support/waiting-writes';

const DAY_MS = 86_400_000;
const ON_HOLD = 'This message is on legal hold, and cannot be deleted.';
const FILE_ON_HOLD = 'This file is on legal hold, and cannot be deleted.';

describe('A legal hold', () => {
  const clock = new OffsetClock();
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });

  afterAll(() => app.stop());

  const run = (name: string, input: object) =>
    app.get(OperatorCommands).run(name, input, {
      site: '',
      signal: new AbortController().signal,
      report: () => undefined,
    }) as Promise<{ held: { id: number; of: string }; holds: object[] }>;

  const keepFor = async (days: number | 'unlimited') =>
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { message_retention_days: days }));

  const expire = async () => {
    clock.aheadMs += 3 * DAY_MS;
    await keepFor(1);
    await app.get(RetentionService).expire();
    await keepFor('unlimited');
  };

  it('keeps messages of a person and their direct conversations until it is lifted', async () => {
    const { mia, max, mona, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max, mona, olivia], 'held people');
    const held = await sendTo(app, mia, channel, 'lunch', 'of Mia');
    const other = await sendTo(app, max, channel, 'lunch', 'of Max');
    const got = await sendDirect(app, max, [mia], 'to Mia');
    const apart = await sendDirect(app, max, [mona], 'to Mona');
    const { held: placed } = await run('hold add', { user: mia.email, reason: 'case 7' });
    expect(await run('hold list', {})).toMatchObject({
      holds: [{ id: placed.id, of: mia.fullName, userId: mia.id, channelId: null, reason: 'case 7' }],
    });
    expectError(await app.as(mia).delete(`/messages/${held}`), ON_HOLD);
    expectError(await app.as(olivia).delete(`/messages/${held}`), ON_HOLD);
    expectError(
      await app.as(olivia).post(`/streams/${channel}/delete_topic`, { topic_name: 'lunch' }),
      ON_HOLD,
    );
    await expire();
    const ids = async () => (await rowsOf<{ id: number }>(app, 'SELECT id FROM message')).map(({ id }) => id);
    expect(await ids()).toEqual(expect.arrayContaining([held, got]));
    for (const gone of [other, apart]) expect(await ids()).not.toContain(gone);
    await run('hold remove', { id: placed.id });
    await expire();
    for (const gone of [held, got]) expect(await ids()).not.toContain(gone);
  });

  it('keeps messages of a channel, also those that were moved out of it', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max, olivia], 'held channel');
    const elsewhere = await createChannelWith(app, mia, [max, olivia], 'elsewhere');
    const inChannel = (operand: number) => fetchIds(app, max, [{ operator: 'channel', operand }]);
    const held = await sendTo(app, max, channel, 'lunch', 'stays');
    const moved = await sendTo(app, max, channel, 'other', 'is moved');
    const { held: placed } = await run('hold add', { channel: '#Held channel', reason: 'case 8' });
    expectSuccess(await app.as(olivia).patch(`/messages/${moved}`, { stream_id: elsewhere, topic: 'other' }));
    const other = await sendTo(app, max, elsewhere, 'lunch', 'goes');
    expectError(await app.as(olivia).delete(`/messages/${moved}`), ON_HOLD);
    await expire();
    expect(await inChannel(channel)).toContain(held);
    const left = await inChannel(elsewhere);
    expect([left.includes(moved), left.includes(other)]).toEqual([true, false]);
    await run('hold remove', { id: placed.id });
    expectSuccess(await app.as(olivia).delete(`/messages/${moved}`));
  });

  it('keeps messages of a channel wherever they are moved, and those that were there before', async () => {
    const { mia, max, olivia } = app.cast;
    const place = (name: string, options = {}) => createChannelWith(app, mia, [max, olivia], name, options);
    const channel = await place('first place');
    const secret = await place('second place', { invite_only: true });
    const third = await place('third place');
    const move = async (id: number, to: number) =>
      expectSuccess(await app.as(olivia).patch(`/messages/${id}`, { stream_id: to, topic: 'moved' }));
    const gone = await sendTo(app, max, channel, 'lunch', 'moved before the hold');
    await move(gone, third);
    const { held } = await run('hold add', { channel: 'first place', reason: 'case 9' });
    const hidden = await sendTo(app, max, channel, 'lunch', 'into protected history');
    await move(hidden, secret);
    const passed = await sendTo(app, max, channel, 'lunch', 'through another channel');
    await move(passed, secret);
    await move(passed, third);
    for (const id of [gone, hidden, passed])
      expectError(await app.as(olivia).delete(`/messages/${id}`), ON_HOLD);
    await expire();
    for (const id of [gone, hidden, passed])
      expect(await fetchMessage(app, olivia, id)).toMatchObject({ subject: 'moved' });
    await run('hold remove', { id: held.id });
    for (const id of [gone, hidden, passed]) expectSuccess(await app.as(olivia).delete(`/messages/${id}`));
  });

  it('keeps the files of messages, also those that an edit took out', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max, olivia], 'held files');
    const elsewhere = await createChannelWith(app, mia, [max, olivia], 'other files');
    const [linked, dropped, free] = [
      await upload(app, max, { name: 'linked.txt' }),
      await upload(app, max, { name: 'dropped.txt' }),
      await upload(app, max, { name: 'free.txt' }),
    ];
    await sendTo(app, max, channel, 'files', `[a](${linked})`);
    const edited = await sendTo(app, max, channel, 'files', `[b](${dropped})`);
    expectSuccess(await app.as(max).patch(`/messages/${edited}`, { content: 'none' }));
    await sendTo(app, max, elsewhere, 'files', `[b](${dropped}) [c](${free})`);
    const { held } = await run('hold add', { channel: 'held files', reason: 'case 10' });
    const idOf = async (url: string): Promise<number> =>
      (await attachmentsOf(app, max)).find(({ path_id: path }: { path_id: string }) => url.endsWith(path))
        ?.id;
    const [first, second] = [await idOf(linked), await idOf(dropped)];
    for (const id of [first, second])
      expectError(await app.as(max).delete(`/attachments/${id}`), FILE_ON_HOLD);
    expectError(await app.as(mia).delete(`/attachments/${first}`), 'Invalid attachment');
    await expire();
    expect([await idOf(linked), await idOf(dropped), await idOf(free)]).toEqual([first, second, undefined]);
    expect(String((await load(app, max, dropped)).body)).toBe('content');
    await run('hold remove', { id: held.id });
    for (const id of [first, second]) expectSuccess(await app.as(max).delete(`/attachments/${id}`));
  });

  it('keeps a person from being deleted, with everything of theirs', async () => {
    const { mia, adam } = app.cast;
    const email = 'reader@example.com';
    const reader = await addAccount(app.nest, {
      deliveryEmail: email,
      fullName: 'Rae Reader',
      role: Role.member,
    });
    const got = await sendDirect(app, mia, [reader], 'for Rae');
    const { held } = await run('hold add', { user: String(reader.id), reason: 'case 11' });
    const administrator = await app.companionAs(adam);
    const person = async () => expectSuccess(await app.as(mia).get(`/users/${reader.id}`)).user;
    const before = await person();
    const refused = await administrator.delete(`/auth/users/${reader.id}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'This person is on legal hold, and cannot be deleted.' },
    ]);
    expect(await person()).toEqual(before);
    expect(before).toMatchObject({ full_name: 'Rae Reader', is_active: true });
    expect(await fetchIds(app, reader, [])).toContain(got);
    await run('hold remove', { id: held.id });
    expect((await administrator.delete(`/auth/users/${reader.id}`)).status).toBe(204);
  });

  it('keeps a whole topic, of which nothing is deleted', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max, olivia], 'long topics');
    await sendTo(app, mia, channel, 'long', 'held');
    await copyMessage(app, await sendTo(app, max, channel, 'long', 'of Max'), 600);
    const { held } = await run('hold add', { user: mia.email, reason: 'case 12' });
    const removeTopic = () => app.as(olivia).post(`/streams/${channel}/delete_topic`, { topic_name: 'long' });
    const count = async () =>
      (await rowsOf(app, 'SELECT id FROM message WHERE channel_id = ?', [channel])).length;
    const before = await count();
    expectError(await removeTopic(), ON_HOLD);
    expect(await count()).toBe(before);
    await run('hold remove', { id: held.id });
    expectSuccess(await removeTopic());
    expect(await count()).toBe(before - 602);
  });

  it('lets retention pass over more messages than it looks at once', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannelWith(app, mia, [max], 'many held');
    const first = await sendTo(app, max, channel, 'lunch', 'goes first');
    await copyMessage(app, await sendTo(app, mia, channel, 'lunch', 'held'), 2_100);
    const last = await sendTo(app, max, channel, 'lunch', 'goes last');
    const { held } = await run('hold add', { user: mia.email, reason: 'case 13' });
    await expire();
    const senders = await rowsOf<{ id: number; sender_id: number }>(
      app,
      'SELECT id, sender_id FROM message WHERE channel_id = ? AND sender_id IN (?)',
      [channel, [mia.id, max.id]],
    );
    expect(senders.filter(({ sender_id: sender }) => sender === mia.id)).toHaveLength(2_101);
    expect(senders.filter(({ id }) => id === first || id === last)).toEqual([]);
    await run('hold remove', { id: held.id });
  });

  it('waits for deletions that are under way', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannelWith(app, mia, [max, olivia], 'late hold');
    await sendTo(app, max, channel, 'lunch', 'stays the first');
    const doomed = await sendTo(app, max, channel, 'lunch', 'goes');
    let isPlaced = false;
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const isReached = new Promise<void>((resolve) =>
      app.get(Hooks).on(messagesDeleted, async (_tx, ids) => {
        if (!ids.includes(doomed)) return;
        resolve();
        await isReleased;
      }),
    );
    const deletion = app.as(olivia).delete(`/messages/${doomed}`);
    await isReached;
    const placing = run('hold add', { channel: 'late hold', reason: 'case 14' }).finally(
      () => (isPlaced = true),
    );
    await Promise.race([placing, untilWritesWait(app)]);
    expect(isPlaced).toBe(false);
    release();
    expectSuccess(await deletion);
    const { held } = await placing;
    await run('hold remove', { id: held.id });
  });

  it('is recorded, and is of one user or channel that exists', async () => {
    const { mia } = app.cast;
    const actions = await rowsOf(app, "SELECT * FROM audit_entry WHERE action LIKE 'hold.%' ORDER BY id");
    expect(actions.slice(0, 2)).toMatchObject([
      { action: 'hold.placed', way: 'command', target_user_id: mia.id },
      { action: 'hold.lifted', way: 'command', target_user_id: mia.id },
    ]);
    for (const [name, input, message] of [
      ['hold add', { reason: 'x' }, /Name a user or a channel/],
      ['hold add', { user: mia.email, channel: 'elsewhere', reason: 'x' }, /Name a user or a channel/],
      ['hold add', { user: 'none@example.com', reason: 'x' }, /No account has the address/],
      ['hold add', { channel: 'nowhere', reason: 'x' }, /No channel is called nowhere/],
      ['hold add', { user: mia.email, reason: '' }, /1 to 200 characters/],
      ['hold remove', { id: 99 }, /No hold has the ID 99/],
    ] as const)
      await expect(run(name, input)).rejects.toThrow(message);
    expect(await run('hold list', {})).toEqual({ holds: [] });
  });

  it('has an ID that no other had before', async () => {
    const input = { user: String(app.cast.mia.id), reason: 'case 15' };
    const { held: first } = await run('hold add', input);
    await run('hold remove', { id: first.id });
    const { held: second } = await run('hold add', input);
    expect(second.id).toBeGreaterThan(first.id);
    await run('hold remove', { id: second.id });
  });
});
