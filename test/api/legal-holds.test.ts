import { RetentionService } from '../../src/features/message-changes/deletion/retention.service';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { rowsOf } from '../support/message-state';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

const DAY_MS = 86_400_000;
const ON_HOLD = 'This message is on legal hold, and cannot be deleted.';

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
});
