import { Role } from '../../src/platform/actor';
import { changeAccount } from '../support/account-setup';
import type { Parameters } from '../support/api-client';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const say = (member: Member, parameters: Parameters) => app.as(member).post('/users/me/status', parameters);
const get = (member: Pick<Member, 'id'>, viewer = app.cast.olivia) =>
  app.as(viewer).get(`/users/${member.id}/status`);
const statusOf = async (member: Member) => expectSuccess(await get(member)).status as object;
const everybody = () => [...app.get(AccountDirectory).active.ids()];

/** The events of a status that is taken. */
async function said(member: Member, parameters: Parameters) {
  const events = await app.captureEvents(async () => {
    expect(expectSuccess(await say(member, parameters))).toEqual({ result: 'success', msg: '' });
  });
  return events.map(({ event }) => event);
}

const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };

describe('A status', () => {
  it('is text and emoji, and told to everybody', async () => {
    const { mia } = app.cast;
    await expect(statusOf(mia)).resolves.toEqual({});
    const events = await app.captureEvents(async () =>
      expectSuccess(await say(mia, { status_text: ' on vacation ', ...CAR })),
    );
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'user_status', user_id: mia.id, status_text: 'on vacation', ...CAR }, everybody()],
    ]);
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'on vacation', ...CAR });
  });

  it('changes in what was given only, and is told so', async () => {
    const { mia } = app.cast;
    expectSuccess(await say(mia, { status_text: 'here', emoji_name: 'car' }));
    const event = { type: 'user_status', user_id: mia.id };
    await expect(said(mia, { status_text: 'there' })).resolves.toEqual([{ ...event, status_text: 'there' }]);
    await expect(said(mia, { status_text: 'there', emoji_name: 'tada' })).resolves.toEqual([
      { ...event, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
    ]);
    await expect(said(mia, { status_text: 'there', emoji_name: 'tada' })).resolves.toEqual([]);
    await expect(said(mia, { emoji_name: '' })).resolves.toEqual([{ ...event, ...NO_EMOJI }]);
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'there' });
    await expect(said(mia, { status_text: '' })).resolves.toEqual([{ ...event, status_text: '' }]);
    await expect(statusOf(mia)).resolves.toEqual({});
    await expect(said(mia, { status_text: '  ', emoji_name: '' })).resolves.toEqual([]);
  });

  it('takes emoji of all kinds', async () => {
    const { mia, olivia } = app.cast;
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    expectSuccess(await app.as(olivia).upload('/realm/emoji/octopus', { name: 'o.png', content: pixel }));
    expectSuccess(await say(mia, { emoji_name: 'octopus' }));
    await expect(statusOf(mia)).resolves.toMatchObject({
      emoji_name: 'octopus',
      reaction_type: 'realm_emoji',
    });
    expectSuccess(await say(mia, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' }));
    await expect(statusOf(mia)).resolves.toMatchObject({ emoji_code: 'zulip' });
    expectSuccess(await say(mia, { emoji_name: '' }));
  });

  it('is away for whoever hides their presence', async () => {
    const { mia } = app.cast;
    expectSuccess(await say(mia, { status_text: 'busy' }));
    const events = await app.captureEvents(async () => expectSuccess(await say(mia, { away: true })));
    expect(outline(events)).toEqual([
      ['user_settings/update/presence_enabled', [mia.id]],
      ['user_status', everybody()],
    ]);
    expect(events[0]?.event.value).toBe(false);
    expect(events[1]?.event).toEqual({ type: 'user_status', user_id: mia.id, away: true });
    await expect(statusOf(mia)).resolves.toEqual({ away: true, status_text: 'busy' });
    await expect(said(mia, { away: true })).resolves.toEqual([]);
    expectSuccess(await app.as(mia).patch('/settings', { presence_enabled: true }));
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'busy' });
    const transient = await app.captureTransient(() => say(mia, { away: true, status_text: '' }));
    expect(transient).toHaveLength(3);
    expectSuccess(await say(mia, { away: false }));
    await expect(statusOf(mia)).resolves.toEqual({});
  });

  it.each([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697', reaction_type: 'unicode_emoji' }, 'Client did not pass any new values.'],
    [{ emoji_name: 'Zebra' }, "Emoji 'Zebra' does not exist"],
    [
      { status_text: 'a', emoji_code: '1f697' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [
      { away: false, reaction_type: 'unicode_emoji' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'invalid' }, "Emoji 'invalid' does not exist"],
    [{ emoji_name: 'car', emoji_code: '1f389', reaction_type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'car', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'car', emoji_code: '1', reaction_type: 'realm_emoji' }, 'Invalid custom emoji name.'],
    [{ emoji_name: 'car', emoji_code: '99', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'car', emoji_code: '1f697', reaction_type: 'smoke' }, 'Invalid emoji type.'],
    [{ away: 'yes' }, 'away is not valid JSON'],
  ])('of %j is refused', async (parameters, message) => {
    const { mia } = app.cast;
    const before = await statusOf(mia);
    expectError(await say(mia, parameters), message);
    await expect(statusOf(mia)).resolves.toEqual(before);
  });

  it('has at most 60 characters, whatever they take', async () => {
    const { mia } = app.cast;
    expectSuccess(await say(mia, { status_text: '𝒲'.repeat(60) }));
    expectSuccess(await say(mia, { status_text: '' }));
  });

  it('is not for bots, and none is to be had of them', async () => {
    const { robo, max } = app.cast;
    expectError(await say(robo, { status_text: 'a' }), 'This endpoint does not accept bot requests.');
    expectError(await get(robo), 'No such user');
    expectError(await get({ id: 999_999 }), 'No such user');
    expectSuccess(await get(max, robo));
    await changeAccount(app, max, { isActive: false });
    expectError(await get(max), 'User is deactivated');
    await changeAccount(app, max, { isActive: true });
  });

  it('is changed by administrators for others, and by nobody else', async () => {
    const { mia, max, adam, olivia, mona, robo } = app.cast;
    const set = (by: Member, of: Pick<Member, 'id'>, parameters: Parameters) =>
      app.as(by).post(`/users/${of.id}/status`, parameters);
    const events = await app.captureEvents(async () => {
      expectSuccess(await set(adam, mia, { status_text: ' at sea ', ...CAR }));
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'user_status', user_id: mia.id, status_text: 'at sea', ...CAR }, everybody()],
    ]);
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'at sea', ...CAR });
    expectError(await set(adam, olivia, { status_text: 'on land' }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expectSuccess(await set(olivia, olivia, { status_text: 'on land' }));
    expectSuccess(await set(mia, mia, { status_text: '', emoji_name: '' }));
    await expect(statusOf(mia)).resolves.toEqual({});
    expectSuccess(await set(olivia, olivia, { status_text: '' }));
    for (const by of [mona, max]) {
      expectError(await set(by, mia, { status_text: 'x' }), 'Insufficient permission');
    }
    expectError(await set(adam, mia, {}), 'Client did not pass any new values.');
    expectError(await set(adam, mia, { emoji_name: 'invalid' }), "Emoji 'invalid' does not exist");
    expectError(await set(adam, robo, { status_text: 'x' }), 'No such user');
    expectError(await set(adam, { id: 999_999 }, { status_text: 'x' }), 'No such user');
    expectError(await set(robo, mia, { status_text: 'x' }), 'Insufficient permission');
    const ignored = expectSuccess(await set(adam, mia, { status_text: 'x', away: true }), {
      ignored: ['away'],
    });
    expect(ignored.result).toBe('success');
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'x' });
    expectSuccess(await say(mia, { status_text: '' }));
    await changeAccount(app, max, { isActive: false });
    expectError(await set(adam, max, { status_text: 'x' }), 'User is deactivated');
    await changeAccount(app, max, { isActive: true });
  });

  it('is changed by bots that are administrators as well', async () => {
    const { mia, olivia } = app.cast;
    const bot = await app.addAccount({
      deliveryEmail: 'calendar-bot@example.com',
      fullName: 'Calendar',
      role: Role.administrator,
      isBot: true,
      botOwnerId: olivia.id,
    });
    const set = (of: Pick<Member, 'id'>) =>
      app.as(bot).post(`/users/${of.id}/status`, { status_text: 'away' });
    expectSuccess(await set(mia));
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'away' });
    expectError(await set(olivia), 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
    expectError(await set(bot), 'No such user');
    expectSuccess(await say(mia, { status_text: '' }));
  });

  it('of two changes at the same instant takes both', async () => {
    const { mia } = app.cast;
    await Promise.all([say(mia, { status_text: 'here' }), say(mia, { emoji_name: 'car' })]);
    await expect(statusOf(mia)).resolves.toEqual({ status_text: 'here', ...CAR });
    expectSuccess(await say(mia, { status_text: '', emoji_name: '' }));
  });
});

describe('Clients that register', () => {
  const statuses = async (reader: Member | null) =>
    (await stateOf(app, reader, { wanted: ['user_status'] })).user_status as object;

  it('are told of everybody who has a status or is away', async () => {
    const { mia, max, mona, olivia } = app.cast;
    expectSuccess(await say(mia, { status_text: 'here' }));
    expectSuccess(await say(max, { away: true }));
    expectSuccess(await say(mona, { emoji_name: 'car' }));
    await changeAccount(app, mona, { isActive: false });
    await expect(statuses(olivia)).resolves.toEqual({
      [mia.id]: { status_text: 'here' },
      [max.id]: { away: true },
    });
    await changeAccount(app, mona, { isActive: true });
    await expect(statuses(olivia)).resolves.toHaveProperty(String(mona.id), CAR);
    await expect(statuses(null)).resolves.toEqual({});
  });

  it('are told of those in sight only, and hear of no others', async () => {
    const { mia, max, gus, olivia } = app.cast;
    await createChannel(app, mia, 'shared with Gus', { principals: [mia.id, gus.id] });
    const restrict = async (group: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await app
          .as(olivia)
          .patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, group) } }),
      );
    await restrict('role:members');
    expect(Object.keys(await statuses(gus))).toEqual([String(mia.id)]);
    expectError(await get(max, gus), 'Insufficient permission');
    const events = await app.captureEvents(async () => {
      await say(mia, { status_text: 'seen' });
      await say(max, { status_text: 'unseen' });
      await say(max, { away: false });
    });
    const heard = events.filter(({ event }) => event.type === 'user_status');
    expect(heard.map(({ audience }) => audience.includes(gus.id))).toEqual([true, false, false]);
    await restrict('role:everyone');
  });
});
