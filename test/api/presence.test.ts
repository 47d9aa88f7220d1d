import { Role } from '../../src/platform/actor';
import type { Clock } from '../../src/platform/clock';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Hooks } from '../../src/platform/hooks/hooks';
import { PresenceDirectory } from '../../src/features/presence/sightings/presence.directory';
import { PresenceStoreService } from '../../src/features/presence/sightings/presence-store.service';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { changeAccount } from '../support/account-setup';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

const MINUTE = 60;
const DAY = 86_400;

/** Advanced by hand: what somebody did long ago looks different. */
const clock = { now: 1_800_000_000 };
const testClock: Clock = {
  nowMs: () => clock.now * 1000 + 250,
  nowSeconds: () => clock.now,
  monotonicMs: () => clock.now * 1000,
  onMoved: () => undefined,
};

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock: testClock, env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

/** Nobody is there at the start of a test, and what anybody did before is long ago. */
beforeEach(() => {
  clock.now += 30 * DAY;
});

const report = (member: Member, parameters: Parameters = {}) =>
  app.as(member).post('/users/me/presence', { status: 'active', ...parameters });

/** Everybody's presence in the new form, as somebody sees it. */
async function seenBy(member: Member, parameters: Parameters = {}) {
  return expectSuccess(await report(member, { slim_presence: true, ...parameters })).presences as Record<
    string,
    unknown
  >;
}

const of = (member: Member, viewer = app.cast.olivia) => app.as(viewer).get(`/users/${member.id}/presence`);
const ping = async (member: Member, status = 'active') =>
  expectSuccess(await report(member, { status, ping_only: true }));

const set = async (member: Member, settings: Parameters) =>
  expectSuccess(await app.as(member).patch('/settings', settings));
const setOrganization = async (settings: Parameters) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', settings));

const everybody = () => [...app.get(AccountDirectory).active.ids()];

describe('Reporting presence', () => {
  it('answers with that of everybody who was there, in the old form', async () => {
    const { mia, max } = app.cast;
    await ping(max);
    clock.now += 100;
    const { presence_last_update_id, ...answer } = expectSuccess(await report(mia, { status: 'idle' }));
    const active = { client: 'website', status: 'active', timestamp: clock.now - 100 };
    const idle = { client: 'website', status: 'idle', timestamp: clock.now };
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      presences: {
        [max.email]: { aggregated: active, website: { ...active, pushable: false } },
        [mia.email]: { aggregated: idle, website: { ...idle, pushable: false } },
      },
      server_timestamp: clock.now + 0.25,
    });
    expect(presence_last_update_id).toBeGreaterThan(0);
  });

  it('answers in the new form where it is asked for', async () => {
    const { mia, max, mona } = app.cast;
    await ping(max);
    clock.now += 100;
    await ping(max, 'idle');
    const newcomer = await app.addAccount({
      deliveryEmail: 'newcomer@example.com',
      fullName: 'Nina Newcomer',
      role: Role.member,
    });
    await ping(newcomer, 'idle');
    const expected = {
      [max.id]: { active_timestamp: clock.now - 100, idle_timestamp: clock.now },
      [mia.id]: { active_timestamp: clock.now, idle_timestamp: clock.now },
      [newcomer.id]: { active_timestamp: clock.now, idle_timestamp: clock.now },
    };
    await expect(seenBy(mia)).resolves.toEqual(expected);
    await expect(seenBy(mia, { slim_presence: false, last_update_id: -1 })).resolves.toEqual(expected);
    clock.now += 10;
    await expect(seenBy(mona)).resolves.toHaveProperty(String(newcomer.id), {
      active_timestamp: clock.now - 10,
      idle_timestamp: clock.now - 10,
    });
  });

  it('answers with the envelope alone where that is asked for', async () => {
    const { mia } = app.cast;
    expect(expectSuccess(await report(mia, { ping_only: true, new_user_input: true }))).toEqual({
      result: 'success',
      msg: '',
    });
  });

  it('answers with what is new since the last answer', async () => {
    const { mia, max, mona } = app.cast;
    await ping(max);
    const first = expectSuccess(await report(mia, { last_update_id: -1 }));
    expect(Object.keys(first.presences)).toEqual([max.id, mia.id].map(String));
    clock.now += MINUTE;
    await ping(mona);
    await ping(max, 'idle');
    const second = expectSuccess(
      await report(mia, { status: 'idle', last_update_id: first.presence_last_update_id }),
    );
    expect(Object.keys(second.presences).sort()).toEqual([max.id, mona.id, mia.id].map(String).sort());
    expect(second.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
    if (app.get(Database).engine === 'sqlite') {
      // Other nodes may know more, so elsewhere the newest comes twice.
      const third = expectSuccess(
        await report(mia, { status: 'idle', last_update_id: second.presence_last_update_id }),
      );
      expect(third).toMatchObject({ presences: {}, presence_last_update_id: second.presence_last_update_id });
    }
    // A client may have been told by another server of a restored backup.
    const beyond = second.presence_last_update_id + 1_000_000_000;
    const ahead = expectSuccess(await report(mia, { status: 'idle', last_update_id: beyond }));
    expect(ahead).toMatchObject({ presences: {}, presence_last_update_id: beyond });
  });

  it('goes back two weeks, or as far as is asked for', async () => {
    const { mia, max, mona } = app.cast;
    await ping(max);
    clock.now += 6 * DAY;
    await ping(mona);
    clock.now += 9 * DAY;
    await expect(seenBy(mia)).resolves.not.toHaveProperty(String(max.id));
    await expect(seenBy(mia)).resolves.toHaveProperty(String(mona.id));
    await expect(seenBy(mia, { history_limit_days: 15 })).resolves.toHaveProperty(String(max.id));
    await expect(seenBy(mia, { history_limit_days: 8 })).resolves.not.toHaveProperty(String(mona.id));
    expect(Object.keys(await seenBy(mia, { history_limit_days: 0, last_update_id: 0 }))).toEqual([
      String(mia.id),
    ]);
  });

  it('says nothing new where another client of the person did so just before', async () => {
    const { mia } = app.cast;
    await ping(mia);
    const { presence_last_update_id: id } = expectSuccess(await report(mia, { last_update_id: -1 }));
    clock.now += 49;
    const again = expectSuccess(await report(mia, { last_update_id: -1 }));
    expect(again.presence_last_update_id).toBe(id);
    expect(again.presences[mia.id]).toEqual({
      active_timestamp: clock.now - 49,
      idle_timestamp: clock.now - 49,
    });
    clock.now += 1;
    expect((await seenBy(mia))[mia.id]).toEqual({ active_timestamp: clock.now, idle_timestamp: clock.now });
  });

  it.each([
    [{ status: 'away' }, 'Invalid status: away', {}],
    [{ status: '' }, 'Invalid status: ', {}],
    [{ ping_only: 1 }, 'ping_only is not a boolean', {}],
    [{ slim_presence: 'yes' }, 'slim_presence is not valid JSON', {}],
    [{ last_update_id: '"1"' }, 'last_update_id is not an integer', {}],
    [{ history_limit_days: -1 }, 'history_limit_days is too small', {}],
    [
      { status: undefined },
      "Missing 'status' argument",
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'status' } },
    ],
  ])('with %j is refused', async (parameters, message, rest) => {
    expectError(await report(app.cast.mia, parameters), message, rest);
  });

  it('is not for bots', async () => {
    expectError(await report(app.cast.robo), 'This endpoint does not accept bot requests.');
  });
});

describe('Others', () => {
  it('are told when somebody comes, in the form that their client knows', async () => {
    const { mia } = app.cast;
    const events = await app.captureTransient(() => ping(mia));
    const website = { client: 'website', status: 'active', timestamp: clock.now, pushable: false };
    const times = { active_timestamp: clock.now, idle_timestamp: clock.now };
    const one = {
      type: 'presence',
      user_id: mia.id,
      server_timestamp: clock.now + 0.25,
      presence: { website },
    };
    expect(events).toEqual([
      {
        event: { type: 'presence', presences: { [mia.id]: times } },
        audience: everybody(),
        options: { requires: 'simplified_presence_events' },
      },
      {
        event: one,
        audience: everybody(),
        options: { requires: 'slim_presence', unless: 'simplified_presence_events' },
      },
      {
        event: { ...one, email: mia.email },
        audience: everybody(),
        options: { unless: ['slim_presence', 'simplified_presence_events'] },
      },
    ]);
  });

  it('are not told while the person stays', async () => {
    const { mia } = app.cast;
    const told = async (status: string) => (await app.captureTransient(() => ping(mia, status))).length > 0;
    await expect(told('idle')).resolves.toBe(true);
    clock.now += MINUTE;
    await expect(told('idle')).resolves.toBe(false);
    await expect(told('active')).resolves.toBe(true);
    clock.now += MINUTE;
    await expect(told('active')).resolves.toBe(false);
    clock.now += 200;
    await expect(told('idle')).resolves.toBe(false);
    clock.now += 201;
    await expect(told('idle')).resolves.toBe(true);
  });

  it('cost no row of the event log', async () => {
    const { mia } = app.cast;
    await expect(app.captureEvents(() => ping(mia))).resolves.toEqual([]);
  });
});

describe('The presence of everybody', () => {
  it('is shown to bots as well, in the old form', async () => {
    const { mia, robo } = app.cast;
    await ping(mia, 'idle');
    const idle = { client: 'website', status: 'idle', timestamp: clock.now };
    expect(expectSuccess(await app.as(robo).get('/realm/presence'))).toEqual({
      result: 'success',
      msg: '',
      presences: { [mia.email]: { aggregated: idle, website: { ...idle, pushable: false } } },
      server_timestamp: clock.now + 0.25,
    });
  });

  it('names people by the addresses that everybody sees', async () => {
    const { mia, olivia } = app.cast;
    await ping(mia);
    await changeAccount(app, mia, { emailVisibility: 4 });
    const { presences } = expectSuccess(await app.as(olivia).get('/realm/presence'));
    expect(Object.keys(presences)).toEqual([`user${mia.id}@chat.example.com`]);
    await changeAccount(app, mia, { emailVisibility: 1 });
  });

  it('leaves out those who are deactivated', async () => {
    const { mia, max } = app.cast;
    await ping(max);
    await changeAccount(app, max, { isActive: false });
    expect(Object.keys(await seenBy(mia))).toEqual([String(mia.id)]);
    expectError(await of(max), 'No such user');
    await changeAccount(app, max, { isActive: true });
  });

  it('is no less than what clients that register are told', async () => {
    const { mia, max } = app.cast;
    await ping(max);
    const legacy = await stateOf(app, mia, { wanted: ['presence'] });
    const { presences, server_timestamp } = expectSuccess(await app.as(mia).get('/realm/presence'));
    expect(legacy).toEqual({ presences, server_timestamp, presence_last_update_id: expect.any(Number) });
    expect(Object.keys(presences)).toEqual([max.email]);
    const slim = await stateOf(app, mia, { wanted: ['presence'], slimPresence: true });
    expect(slim.presences).toEqual({
      [max.id]: { active_timestamp: clock.now, idle_timestamp: clock.now },
    });
    clock.now += 3 * DAY;
    const recent = await stateOf(app, mia, { wanted: ['presence'], presenceHistoryDays: 2 });
    expect(recent.presences).toEqual({});
    await expect(stateOf(app, null, { wanted: ['presence'] })).resolves.toEqual({
      presences: {},
      server_timestamp: clock.now + 0.25,
      presence_last_update_id: -1,
    });
  });
});

describe('The presence of one person', () => {
  it('is found by ID and by address, and ages', async () => {
    const { mia, olivia } = app.cast;
    await ping(mia);
    const active = { status: 'active', timestamp: clock.now };
    const start = clock.now;
    const seen = { active_timestamp: start, idle_timestamp: start };
    const presence = { ...seen, aggregated: active, website: active };
    const expected = { result: 'success', msg: '', presence, server_timestamp: expect.closeTo(clock.now, 0) };
    expect(expectSuccess(await of(mia))).toEqual(expected);
    expect(expectSuccess(await app.as(olivia).get(`/users/${mia.email}/presence`))).toEqual(expected);
    expect(expectSuccess(await app.as(olivia).get(`/users/user${mia.id}@chat.example.com/presence`))).toEqual(
      expected,
    );
    clock.now += MINUTE;
    await ping(mia, 'idle');
    expect(expectSuccess(await of(mia)).presence.aggregated).toEqual(active);
    clock.now += MINUTE;
    await ping(mia, 'idle');
    const idle = { status: 'idle', timestamp: clock.now };
    const left = { active_timestamp: start, idle_timestamp: clock.now };
    expect(expectSuccess(await of(mia)).presence).toEqual({ ...left, aggregated: idle, website: idle });
    clock.now += 201;
    expect(expectSuccess(await of(mia)).presence).toEqual({
      ...left,
      aggregated: { ...idle, status: 'offline' },
      website: idle,
    });
  });

  it('is refused for bots, for nobody, and for those who never were there', async () => {
    const { olivia, robo } = app.cast;
    const shy = await app.addAccount({
      deliveryEmail: 'shy@example.com',
      fullName: 'Sid Shy',
      role: Role.member,
    });
    expectError(await of(robo), 'Presence is not supported for bot users.');
    expectError(await of(shy), `No presence data for ${shy.id}`);
    const get = (who: string) => app.as(olivia).get(`/users/${who}/presence`);
    expectError(await get('shy@example.com'), 'No presence data for shy@example.com');
    expectError(await get('999999'), 'No such user');
    expectError(await get('99999999999999999999'), 'No such user');
    expectError(await get('nobody@example.com'), 'No such user');
    expectError(await get('notification-bot@chat.example.com'), 'No such user');
  });
});

describe('Somebody who hides their presence', () => {
  it('is shown to nobody, and seems gone at once', async () => {
    const { mia, olivia } = app.cast;
    await ping(mia);
    const gone = clock.now - 201;
    const transient = await app.captureTransient(() => set(mia, { presence_enabled: false }));
    expect(transient[0]?.event.presences).toEqual({
      [mia.id]: { active_timestamp: gone, idle_timestamp: gone },
    });
    expect(transient[2]?.event.presence.website).toMatchObject({ timestamp: gone });
    await expect(app.captureTransient(() => ping(mia))).resolves.toEqual([]);
    await expect(seenBy(olivia)).resolves.not.toHaveProperty(String(mia.id));
    expectError(await of(mia), `No presence data for ${mia.id}`);
    expect(Object.keys(await seenBy(mia, { slim_presence: true }))).not.toContain(String(mia.id));
    const shown = await app.captureTransient(() => set(mia, { presence_enabled: true }));
    expect(shown[0]?.event.presences).toEqual({
      [mia.id]: { active_timestamp: clock.now, idle_timestamp: clock.now },
    });
    expect(shown).toHaveLength(3);
    await expect(seenBy(olivia)).resolves.toHaveProperty(String(mia.id));
  });

  it('is away for old clients', async () => {
    const { mia } = app.cast;
    const events = await app.captureEvents(async () => {
      await set(mia, { presence_enabled: false });
      await set(mia, { presence_enabled: false });
      await set(mia, { presence_enabled: true });
    });
    expect(outline(events)).toEqual([
      ['user_settings/update/presence_enabled', [mia.id]],
      ['user_status', everybody()],
      ['user_settings/update/presence_enabled', [mia.id]],
      ['user_status', everybody()],
    ]);
    expect(events[1]?.event).toEqual({ type: 'user_status', user_id: mia.id, away: true });
    expect(events[3]?.event).toEqual({ type: 'user_status', user_id: mia.id, away: false });
  });
});

describe('An organization without presence', () => {
  it('notes and shows none', async () => {
    const { mia, max } = app.cast;
    await ping(max);
    await setOrganization({ presence_disabled: true });
    await expect(app.captureTransient(() => ping(mia))).resolves.toEqual([]);
    expect(expectSuccess(await report(mia, { last_update_id: -1 }))).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
    });
    expectError(await of(max), `No presence data for ${max.id}`);
    const transient = await app.captureTransient(async () => {
      await set(mia, { presence_enabled: false });
      await set(mia, { presence_enabled: true });
    });
    expect(transient).toEqual([]);
    await setOrganization({ presence_disabled: false });
    expect(Object.keys(await seenBy(app.cast.olivia))).not.toContain(String(mia.id));
  });
});

describe('A guest whom the organization restricts', () => {
  it('learns of those in sight only', async () => {
    const { mia, max, gus } = app.cast;
    await createChannel(app, mia, 'shared with Gus', { principals: [mia.id, gus.id] });
    const restrict = (group: 'role:members' | 'role:everyone') =>
      setOrganization({ can_access_all_users_group: { new: systemGroupId(app, group) } });
    await restrict('role:members');
    const [told] = await app.captureTransient(() => ping(mia));
    const [notTold] = await app.captureTransient(() => ping(max));
    expect(told?.audience).toContain(gus.id);
    expect(notTold?.audience).toEqual(everybody().filter((id) => id !== gus.id));
    expect(Object.keys(await seenBy(gus))).toEqual(idsOf(mia, gus).map(String));
    expectError(await of(max, gus), 'Insufficient permission');
    expectSuccess(await of(mia, gus));
    await restrict('role:everyone');
    expectSuccess(await of(max, gus));
  });
});

describe('What is known of presence', () => {
  /** A node that starts now, or another one beside this. */
  async function newNode() {
    const directory = new PresenceDirectory(testClock);
    const store = new PresenceStoreService(
      app.get(Database),
      app.get(TransactionService),
      directory,
      testClock,
      new Hooks(),
    );
    await store.onModuleInit();
    return { directory, store };
  }

  it('is written in batches, and survives a restart', async () => {
    const { mia, max } = app.cast;
    await ping(mia);
    await ping(max, 'idle');
    const wasWritten = (await newNode()).directory.byId(mia.id)?.connectedAt === clock.now;
    expect(wasWritten).toBe(false);
    await app.get(PresenceStoreService).flush();
    const { directory } = await newNode();
    expect(directory.byId(mia.id)).toMatchObject({ activeAt: clock.now, connectedAt: clock.now });
    expect(directory.byId(max.id)).toMatchObject({ connectedAt: clock.now });
    expect(directory.byId(max.id)?.activeAt).not.toBe(clock.now);
    expect(directory.lastUpdateId).toBe(app.get(PresenceDirectory).lastUpdateId);
  });

  it('keeps the latest of what two nodes saw', async () => {
    const { mia } = app.cast;
    const other = await newNode();
    other.directory.note(mia.id, true);
    await ping(mia, 'idle');
    await app.get(PresenceStoreService).flush();
    await other.store.flush();
    const row = (await newNode()).directory.byId(mia.id);
    expect(row).toMatchObject({ activeAt: clock.now, connectedAt: clock.now });
  });

  it('is tried again where it could not be written', async () => {
    const { mia } = app.cast;
    const directory = new PresenceDirectory(testClock);
    const refused = { run: () => Promise.reject(new Error('The disk is full.')) };
    const broken = new PresenceStoreService(
      app.get(Database),
      refused as unknown as TransactionService,
      directory,
      testClock,
      new Hooks(),
    );
    directory.note(mia.id, true);
    await broken.flush();
    expect(directory.takeUnwritten()).toHaveLength(1);
  });

  it('reaches other nodes within a while', async () => {
    const { mia, olivia } = app.cast;
    const other = await newNode();
    await seenBy(olivia);
    other.directory.note(mia.id, true);
    await other.store.flush();
    clock.now += 16;
    const isShared = app.get(Database).engine === 'postgres';
    expect(Object.keys(await seenBy(olivia)).includes(String(mia.id))).toBe(isShared);
  });
});
