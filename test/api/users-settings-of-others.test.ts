import { Role } from '../../src/platform/actor';
import type { Parameters } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import type { Member } from '../support/cast';
import { createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const NO_ID = 1_999_999_999;
const ALL = { skip_if_already_edited: false };
const SPARING = { skip_if_already_edited: true };

const request = (member: Member, target_users: object, settings: Parameters) =>
  app.as(member).patch('/settings', { target_users, ...settings });

/** Changes settings of others, and returns what clients were told. */
async function change(target_users: object, settings: Parameters, member = app.cast.adam) {
  const events = await app.captureEvents(async () => {
    expectSuccess(await request(member, target_users, settings));
  });
  return events.map(({ event: { type, property, value }, audience }) => [type, property, value, audience]);
}

async function settingsOf(member: Member) {
  return (await stateOf(app, member, { wanted: ['user_settings'] })).user_settings;
}

describe('Settings of others', () => {
  it('are changed by administrators, and told to each', async () => {
    const { adam, mia, max, olivia } = app.cast;
    const wanted = { high_contrast_mode: true, color_scheme: 2 };
    const users = { user_ids: [mia.id, max.id, mia.id, olivia.id], ...ALL };
    const told = [mia, max, olivia].flatMap(({ id }) => [
      ['user_settings', 'high_contrast_mode', true, [id]],
      ['user_settings', 'color_scheme', 2, [id]],
    ]);
    const events = await change(users, wanted);
    expect(events).toHaveLength(told.length);
    expect(events).toEqual(expect.arrayContaining(told));
    await expect(settingsOf(mia)).resolves.toMatchObject(wanted);
    await expect(settingsOf(adam)).resolves.toMatchObject({ high_contrast_mode: false, color_scheme: 1 });
    await expect(change(users, wanted)).resolves.toEqual([]);
  });

  it('are those of everybody in groups at any depth, without bots', async () => {
    const { olivia, adam, mia, max, gus, robo } = app.cast;
    const inner = await createGroup(app, 'inner', [gus.id, robo.id]);
    const outer = await createGroup(app, 'outer', [mia.id]);
    expectSuccess(await app.as(olivia).post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    const events = await change(
      { group_ids: [outer], user_ids: [max.id, robo.id], ...ALL },
      { enter_sends: true },
    );
    expect(events.map((each) => each[3])).toEqual(expect.arrayContaining([[mia.id], [max.id], [gus.id]]));
    expect(events).toHaveLength(3);
    await expect(settingsOf(adam)).resolves.toMatchObject({ enter_sends: false });
  });

  it('stay where people have changed them themselves, if that is wanted', async () => {
    const { mia, max, mona } = app.cast;
    const users = { user_ids: [mia.id, max.id, mona.id] };
    expectSuccess(await app.as(mia).patch('/settings', { web_font_size_px: 18 }));
    expectSuccess(await app.as(mia).patch('/settings', { web_font_size_px: 16 }));
    expectSuccess(await app.as(max).patch('/settings', { web_font_size_px: 16 }));
    await app.as(mona).post('/zcommand', { command: '/fluid-width' });
    const wanted = { web_font_size_px: 20, fluid_layout_width: false };
    const events = await change({ ...users, ...SPARING }, wanted);
    expect(events.map((each) => [each[1], each[3]])).toEqual(
      expect.arrayContaining([
        ['web_font_size_px', [max.id]],
        ['web_font_size_px', [mona.id]],
      ]),
    );
    expect(events).toHaveLength(2);
    await expect(settingsOf(mia)).resolves.toHaveProperty('web_font_size_px', 16);
    await expect(settingsOf(mona)).resolves.toHaveProperty('fluid_layout_width', true);
    // What an administrator set is nobody's own choice.
    await expect(change({ ...users, ...SPARING }, { web_font_size_px: 21 })).resolves.toHaveLength(2);
    await expect(change({ ...users, ...ALL }, { web_font_size_px: 22 })).resolves.toHaveLength(3);
  });

  it('are those of deactivated people as well, for when they come back', async () => {
    const { adam, gus } = app.cast;
    expectSuccess(await app.as(adam).delete(`/users/${gus.id}`));
    expectSuccess(await request(adam, { user_ids: [gus.id], ...ALL }, { starred_message_counts: false }));
    expectSuccess(await app.as(adam).post(`/users/${gus.id}/reactivate`));
    await expect(settingsOf(gus)).resolves.toHaveProperty('starred_message_counts', false);
  });

  it('may be one’s own among them, which is one’s own choice then', async () => {
    const { adam } = app.cast;
    await expect(change({ user_ids: [adam.id], ...ALL }, { emojiset: 'text' })).resolves.toHaveLength(1);
    await expect(change({ user_ids: [adam.id], ...SPARING }, { emojiset: 'twitter' })).resolves.toEqual([]);
  });

  it('are recorded with the values of before', async () => {
    const { adam, mona } = app.cast;
    const log = await AuditReader.of(app);
    await change({ user_ids: [mona.id, adam.id], ...ALL }, { twenty_four_hour_time: true });
    expect(await log.only()).toMatchObject({
      action: 'user.settings_changed',
      actor_id: adam.id,
      target_user_id: mona.id,
      details: { twenty_four_hour_time: { from: false, to: true } },
    });
  });

  it('go to many people in several steps', async () => {
    const { adam } = app.cast;
    const ids: number[] = [];
    for (let at = 0; at < 60; at++) {
      const person = { deliveryEmail: `many${at}@example.com`, fullName: `Many ${at}`, role: Role.member };
      ids.push((await app.addAccount(person)).id);
    }
    const events = await change({ user_ids: ids, ...ALL }, { translate_emoticons: true }, adam);
    expect(events).toHaveLength(60);
  });
});

describe('Settings of others are refused', () => {
  it.each(['mona', 'mia', 'gus'] as const)('to %s', async (name) => {
    const member = app.cast[name];
    expectError(
      await request(member, { user_ids: [member.id], ...ALL }, { enter_sends: true }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
  });

  it.each<Parameters>([
    { full_name: 'Somebody Else' },
    { email: 'else@example.com' },
    { new_password: 'seven small green lamps' },
    { timezone: 'Europe/Berlin' },
    { email_address_visibility: 1 },
    { allow_private_data_export: true },
    { enable_digest_emails: true },
    { enable_login_emails: true },
    { enable_marketing_emails: true },
    { presence_enabled: false },
    { send_private_typing_notifications: false },
    { send_read_receipts: false },
    { send_stream_typing_notifications: false },
  ])('where they are for everybody alone: %j', async (private_) => {
    const { adam, mia } = app.cast;
    const before = await settingsOf(mia);
    expectError(
      await request(adam, { user_ids: [mia.id], ...ALL }, { ...private_, enable_sounds: false }),
      'Cannot change this setting for other users.',
    );
    await expect(settingsOf(mia)).resolves.toEqual(before);
  });

  it.each<[object, string]>([
    [{ ...ALL }, 'Either user_ids or group_ids must be provided.'],
    [{ user_ids: [], group_ids: [], ...ALL }, 'Either user_ids or group_ids must be provided.'],
    [{ user_ids: [NO_ID], ...ALL }, `Invalid user ID: ${NO_ID}`],
    [{ group_ids: [NO_ID], ...ALL }, `Invalid user group ID: ${NO_ID}`],
    [{ user_ids: 5, ...ALL }, 'target_users["user_ids"] is not a list'],
    [{ user_ids: [5] }, 'target_users["skip_if_already_edited"] field is missing: Field required'],
  ])('for %j', async (target_users, message) => {
    expectError(await request(app.cast.adam, target_users, { enter_sends: true }), message);
  });

  it('with values that they cannot have, before anybody has another', async () => {
    const { adam, mia } = app.cast;
    const users = { user_ids: [mia.id], ...ALL };
    expectError(
      await request(adam, users, { enter_sends: false, default_language: 'xx' }),
      'Invalid default_language',
    );
    await expect(settingsOf(mia)).resolves.toHaveProperty('enter_sends', true);
  });

  it('for system bots', async () => {
    const { adam, mia } = app.cast;
    const { cross_realm_bots } = await stateOf(app, mia, { wanted: ['realm_user'] });
    const bot = cross_realm_bots[0].user_id;
    expectError(
      await request(adam, { user_ids: [mia.id, bot], ...ALL }, { enter_sends: false }),
      `Invalid user ID: ${bot}`,
    );
  });
});
