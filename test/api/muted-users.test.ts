import { Role } from '../../src/platform/actor';
import type { Clock } from '../../src/platform/clock';
import { changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { stateOf } from '../support/initial-state';
import { outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** Advanced by hand, so that times can be told apart. */
const clock = { now: 1_800_000_000 };
const testClock: Clock = {
  nowMs: () => clock.now * 1000,
  nowSeconds: () => clock.now,
  monotonicMs: () => clock.now * 1000,
  onMoved: () => undefined,
};

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start({ clock: testClock, env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const mute = (member: Member, { id }: Pick<Member, 'id'>) =>
  app.as(member).post(`/users/me/muted_users/${id}`);
const unmute = (member: Member, { id }: Pick<Member, 'id'>) =>
  app.as(member).delete(`/users/me/muted_users/${id}`);

async function mutedBy(member: Member) {
  return (await stateOf(app, member, { wanted: ['muted_users'] })).muted_users as {
    id: number;
    timestamp: number;
  }[];
}

/** A new channel of Mia's, with these people beside her. */
function channelWith(...members: Member[]): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `muted ${++channels}`, { principals });
}

const flagsOf = async (reader: Member, id: number) => (await fetchMessage(app, reader, id)).flags as string[];

describe('Muting somebody', () => {
  it('is told to oneself with the whole list, as is unmuting', async () => {
    const { max, mona, robo } = app.cast;
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await mute(max, robo))).toEqual({ result: 'success', msg: '' });
      clock.now += 60;
      expectSuccess(await mute(max, mona));
      expectSuccess(await unmute(max, robo));
    });
    const robots = { id: robo.id, timestamp: clock.now - 60 };
    const moderator = { id: mona.id, timestamp: clock.now };
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'muted_users', muted_users: [robots] }, [max.id]],
      [{ type: 'muted_users', muted_users: [robots, moderator] }, [max.id]],
      [{ type: 'muted_users', muted_users: [moderator] }, [max.id]],
    ]);
    await expect(mutedBy(max)).resolves.toEqual([moderator]);
    await expect(mutedBy(mona)).resolves.toEqual([]);
    expectSuccess(await unmute(max, mona));
  });

  it('is refused for oneself, twice, and for nobody', async () => {
    const { max, mona } = app.cast;
    expectError(await mute(max, max), 'Cannot mute self');
    expectSuccess(await mute(max, mona));
    expectError(await mute(max, mona), 'User already muted');
    expectError(await mute(max, { id: 999_999 }), 'No such user');
    expectError(await unmute(max, { id: 999_999 }), 'No such user');
    expectError(await unmute(max, max), 'User is not muted');
    expectSuccess(await unmute(max, mona));
    expectError(await unmute(max, mona), 'User is not muted');
  });

  it('reaches deactivated people', async () => {
    const { max, mona } = app.cast;
    await changeAccount(app, mona, { isActive: false });
    expectSuccess(await mute(max, mona));
    await changeAccount(app, mona, { isActive: true });
    expectSuccess(await unmute(max, mona));
  });

  it('is asked for twice at the same instant and happens once', async () => {
    const { max, mona } = app.cast;
    const answers = await Promise.all([mute(max, mona), mute(max, mona), mute(max, mona)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expectSuccess(await unmute(max, mona));
  });

  it('needs the person to be in sight, but unmuting does not', async () => {
    const { olivia, mia, max, gus } = app.cast;
    await channelWith(gus);
    const restrict = (name: 'role:members' | 'role:everyone') =>
      app.as(olivia).patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, name) } });
    expectSuccess(await mute(gus, max));
    expectSuccess(await restrict('role:members'));
    expectSuccess(await mute(gus, mia));
    expectSuccess(
      await app.as(mia).delete('/users/me/subscriptions', { subscriptions: [`muted ${channels}`] }),
    );
    expectSuccess(await unmute(gus, max));
    expectError(await mute(gus, max), 'Insufficient permission');
    expectError(await unmute(gus, max), 'Insufficient permission');
    expectSuccess(await unmute(gus, mia));
    expectSuccess(await restrict('role:everyone'));
  });
});

describe('What a muted person says', () => {
  it('is read at sending for whoever muted them, mentions included', async () => {
    const { mia, max, gus } = app.cast;
    const id = await channelWith(max, gus);
    expectSuccess(await mute(max, mia));
    let message = 0;
    const events = await app.captureEvents(async () => {
      message = await sendTo(app, mia, id, 'lunch', 'soup, @**Max Member**?');
    });
    const arrived = events.find(({ event }) => event.type === 'message');
    expect(arrived?.event.flags).toEqual([]);
    expect(arrived?.options.personal?.get(max.id)).toEqual({ flags: ['read', 'mentioned'] });
    await expect(flagsOf(max, message)).resolves.toEqual(['read', 'mentioned']);
    await expect(flagsOf(gus, message)).resolves.toEqual([]);

    const direct = await sendDirect(app, mia, [max, gus], 'soup');
    await expect(flagsOf(max, direct)).resolves.toEqual(['read']);
    await expect(flagsOf(gus, direct)).resolves.toEqual([]);

    expectSuccess(await unmute(max, mia));
    const later = await sendTo(app, mia, id, 'lunch', 'soup');
    await expect(flagsOf(max, later)).resolves.toEqual([]);
    await expect(flagsOf(max, message)).resolves.toEqual(['read', 'mentioned']);
  });

  it('counts as read from the moment of muting, and nothing else does', async () => {
    const { mia, max, gus } = app.cast;
    const id = await channelWith(max, gus);
    const first = await sendTo(app, mia, id, 'lunch', 'soup');
    const other = await sendTo(app, gus, id, 'lunch', 'bread');
    const direct = await sendDirect(app, mia, [max], 'soup');
    const second = await sendTo(app, mia, id, 'lunch', 'salad');
    const events = await app.captureEvents(async () => expectSuccess(await mute(max, mia)));
    expect(outline(events)).toEqual([
      ['muted_users', [max.id]],
      ['update_message_flags/add', [max.id]],
    ]);
    const { event } = events[1]!;
    expect(event).toMatchObject({ flag: 'read', operation: 'add', all: false });
    expect(event.messages).toEqual(expect.arrayContaining([first, direct, second]));
    expect(event.messages).not.toContain(other);
    await expect(fetchIds(app, max, [['is', 'unread']])).resolves.toEqual([other]);
    await expect(flagsOf(gus, first)).resolves.toEqual([]);
    expectSuccess(await unmute(max, mia));
    const again = await app.captureEvents(async () => expectSuccess(await mute(max, mia)));
    expect(outline(again)).toEqual([['muted_users', [max.id]]]);
    expectSuccess(await unmute(max, mia));
  });

  it('counts as read however much it is', async () => {
    const talker = await app.addAccount({
      deliveryEmail: 'talker@example.com',
      fullName: 'Tess Talker',
      role: Role.member,
    });
    const listener = await app.addAccount({
      deliveryEmail: 'listener@example.com',
      fullName: 'Lou Listener',
      role: Role.member,
    });
    await sendDirect(app, talker, [listener], 'the first');
    await multiplyMessages(app, talker, 2_500);
    const events = await app.captureEvents(async () => expectSuccess(await mute(listener, talker)));
    const sizes = events.slice(1).map(({ event }) => event.messages.length);
    expect(sizes).toEqual([1_000, 1_000, 501]);
    await expect(fetchIds(app, listener, [['is', 'unread']])).resolves.toEqual([]);
  });
});

describe('Clients that register', () => {
  it('without an account are told of nobody', async () => {
    await expect(stateOf(app, null, { wanted: ['muted_users'] })).resolves.toEqual({ muted_users: [] });
  });
});

/** Copies the only message of a sender so many times. */
async function multiplyMessages(at: TestApp, sender: Member, times: number): Promise<void> {
  const columns =
    'sender_id, channel_id, topic_id, conversation_id, content, rendered_content, client_name, sent_at, facts';
  await at.writeRows((tx) =>
    tx.query(
      `WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${times})
       INSERT INTO message (${columns}) SELECT ${columns} FROM message, copy WHERE sender_id = ?`,
      [sender.id],
    ),
  );
}
