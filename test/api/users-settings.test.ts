import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Role } from '../../src/platform/actor';
import { Passwords } from '../../src/platform/secrets/passwords';
import { changeAccount } from '../support/account-setup';
import { browserOf } from '../support/browser-client';
import { PASSWORD, type Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];

const ownRecord = async (member: Member) => expectSuccess(await app.as(member).get('/users/me'));

/** Changes settings of somebody and returns the events with their receivers. */
async function change(member: Member, parameters: object) {
  const events = await app.captureEvents(async () => {
    expectSuccess(await app.as(member).patch('/settings', { ...parameters }));
  });
  return events.map(({ event, audience }) => [event, audience]);
}

const personEvent = (person: object) => ({ type: 'realm_user', op: 'update', person });
const settingEvent = (property: string, value: unknown, more: object = {}) => ({
  type: 'user_settings',
  op: 'update',
  property,
  value,
  ...more,
});

describe('One’s own name', () => {
  it('is trimmed and told to everybody; the same name again is no change', async () => {
    const { mona } = app.cast;
    await expect(change(mona, { full_name: '  Mona M.  ' })).resolves.toEqual([
      [personEvent({ user_id: mona.id, full_name: 'Mona M.' }), everybody()],
    ]);
    await expect(change(mona, { full_name: 'Mona M.' })).resolves.toEqual([]);
  });

  it('has to be a name', async () => {
    const { mona } = app.cast;
    expectError(await app.as(mona).patch('/settings', { full_name: 'M' }), 'Name too short!');
    expectError(await app.as(mona).patch('/settings', { full_name: 'a@b' }), 'Invalid characters in name!');
  });

  it('may have to be the only one of its kind', async () => {
    const { adam, mona } = app.cast;
    expectSuccess(await app.as(adam).patch('/realm', { require_unique_names: true }));
    expectError(
      await app.as(mona).patch('/settings', { full_name: 'max MEMBER' }),
      'Unique names required in this organization.',
    );
    expectSuccess(await app.as(adam).patch('/realm', { require_unique_names: false }));
  });

  it('is fixed where the organization says so, but for administrators: a change is passed over', async () => {
    const { adam, mona } = app.cast;
    expectSuccess(await app.as(adam).patch('/realm', { name_changes_disabled: true }));
    await expect(change(mona, { full_name: 'Somebody Else', timezone: 'Europe/Rome' })).resolves.toEqual([
      [settingEvent('timezone', 'Europe/Rome'), [mona.id]],
      [
        expect.objectContaining({ person: expect.objectContaining({ timezone: 'Europe/Rome' }) }),
        everybody(),
      ],
    ]);
    await expect(ownRecord(mona)).resolves.toMatchObject({ full_name: 'Mona M.', timezone: 'Europe/Rome' });
    await change(adam, { full_name: 'Adam A.' });
    await expect(ownRecord(adam)).resolves.toHaveProperty('full_name', 'Adam A.');
    expectSuccess(await app.as(adam).patch('/realm', { name_changes_disabled: false }));
  });
});

describe('One’s own address', () => {
  it('changes at once, with the picture found by it, and is told to those who see it', async () => {
    const { max } = app.cast;
    const events = await change(max, { email: ' Maximilian@Example.COM ', old_password: PASSWORD });
    const email = 'Maximilian@example.com';
    expect(events.map(([event]) => event)).toEqual([
      personEvent({ user_id: max.id, delivery_email: email }),
      personEvent({
        user_id: max.id,
        avatar_source: 'G',
        avatar_url: expect.stringMatching(/^https:.*&version=1$/),
        avatar_url_medium: expect.stringMatching(/^https:.*&s=500&version=1$/),
        avatar_version: 1,
      }),
      personEvent({ user_id: max.id, new_email: email }),
    ]);
    await expect(ownRecord(max)).resolves.toMatchObject({ email, delivery_email: email });
    await change(max, { email: 'max@example.com', old_password: PASSWORD });
  });

  it('stays hidden from those who do not see it', async () => {
    const { max, mona, adam, olivia } = app.cast;
    await changeAccount(app, max, { emailVisibility: 3 });
    const events = await change(max, { email: 'hidden@example.com', old_password: PASSWORD });
    const seeing = [olivia.id, adam.id, max.id].sort((a, b) => a - b);
    expect(events[0]).toEqual([
      personEvent({ user_id: max.id, delivery_email: 'hidden@example.com' }),
      seeing,
    ]);
    expect(seeing).not.toContain(mona.id);
    expect(events.map(([event]) => event)).not.toContainEqual(
      personEvent(expect.objectContaining({ new_email: expect.anything() })),
    );
    await change(max, { email: 'max@example.com', old_password: PASSWORD });
    await changeAccount(app, max, { emailVisibility: 1 });
  });

  it('must be an address, of nobody else, and no placeholder', async () => {
    const { max } = app.cast;
    const attempt = (email: string) => app.as(max).patch('/settings', { email, old_password: PASSWORD });
    expectError(await attempt('nonsense'), 'Enter a valid email address.');
    expectError(await attempt('user7@chat.example.com'), 'Enter a valid email address.');
    expectError(await attempt('USER007@Chat.Example.com'), 'Enter a valid email address.');
    expectError(await attempt('MIA@example.com'), 'Email is already in use.');
    expectError(await attempt('ROBO-bot@example.com'), 'Email is already in use.');
    expectSuccess(await attempt('user7@example.com'));
    expectSuccess(await attempt('max@example.com'));
  });

  it('is fixed where the organization says so, but for administrators', async () => {
    const { adam, max } = app.cast;
    expectSuccess(await app.as(adam).patch('/realm', { email_changes_disabled: true }));
    expectError(
      await app.as(max).patch('/settings', { email: 'other@example.com', old_password: PASSWORD }),
      'Email address changes are disabled in this organization.',
    );
    for (const email of ['adam2@example.com', 'adam@example.com']) {
      expectSuccess(await app.as(adam).patch('/settings', { email, old_password: PASSWORD }));
    }
    expectSuccess(await app.as(adam).patch('/realm', { email_changes_disabled: false }));
  });

  it('needs the password beside an API key, which alone must not give the account away', async () => {
    const { max, olivia } = app.cast;
    const attempt = (form: object) => app.as(max).patch('/settings', { ...form });
    const refusal = 'To change your email address, send your password as old_password, or use a browser.';
    const email = 'thief@example.com';
    const needsProof = { code: 'REAUTHENTICATION_REQUIRED', status: 403 };
    expectError(await attempt({ email }), refusal, needsProof);
    expectError(await attempt({ email, old_password: 'a guess' }), 'Wrong password!');
    expectSuccess(await attempt({ email: 'max@example.com' }));
    expectError(await app.as(olivia).patch(`/users/${olivia.id}`, { new_email: email }), refusal, needsProof);
    await changeAccount(app, max, { passwordHash: null });
    expectError(await attempt({ email }), refusal, needsProof);
    await changeAccount(app, max, { passwordHash: await app.get(Passwords).hash(PASSWORD) });
    expect((await ownRecord(max)).delivery_email).toBe('max@example.com');
  });

  it('needs no password in a browser whose owner has just signed in, and none that is wrong', async () => {
    const { max } = app.cast;
    const browser = await browserOf(app, max);
    const attempt = (form: object) => browser.call('PATCH', '/json/settings', { ...form });
    const email = 'other@example.com';
    expectError(await attempt({ email, old_password: 'a guess' }), 'Wrong password!');
    expectSuccess(await attempt({ email: 'max@example.com', full_name: 'Max Member' }));
    expect((await ownRecord(max)).delivery_email).toBe('max@example.com');
    expectSuccess(await attempt({ email }));
    expect((await ownRecord(max)).delivery_email).toBe(email);
    expectSuccess(await attempt({ email: 'max@example.com', old_password: PASSWORD }));
  });

  it('goes to one of two who want it at the same instant', async () => {
    const { max, mia } = app.cast;
    const answers = await Promise.all(
      [max, mia].map((member) =>
        app.as(member).patch('/settings', { email: 'wanted@example.com', old_password: PASSWORD }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await app.as(max).patch('/settings', { email: 'max@example.com', old_password: PASSWORD });
    await app.as(mia).patch('/settings', { email: 'mia@example.com', old_password: PASSWORD });
  });
});

describe('Who sees the address', () => {
  it('is chosen by its owner; people learn what they gain and lose [VER-163]', async () => {
    const { mia, mona, adam, olivia, max, gus, robo } = app.cast;
    const person = (changed: object) => personEvent({ user_id: mia.id, ...changed });
    const hidden = await change(mia, { email_address_visibility: 5 });
    expect(hidden).toEqual([
      [settingEvent('email_address_visibility', 5), [mia.id]],
      [person({ delivery_email: null }), [max.id, gus.id, robo.id].sort((a, b) => a - b)],
      [person({ new_email: `user${mia.id}@chat.example.com` }), everybody()],
      [personEvent(expect.objectContaining({ user_id: mia.id, avatar_source: 'G' })), everybody()],
    ]);
    const fewer = await change(mia, { email_address_visibility: 3 });
    expect(fewer.slice(1)).toEqual([[person({ delivery_email: null }), [mona.id]]]);
    const shown = await change(mia, { email_address_visibility: 1 });
    expect(shown[1]).toEqual([
      person({ delivery_email: 'mia@example.com' }),
      [mona.id, max.id, gus.id, robo.id].sort((a, b) => a - b),
    ]);
    expect([olivia.id, adam.id]).not.toEqual(expect.arrayContaining(shown[1]?.[1] as number[]));
    await expect(change(mia, { email_address_visibility: 1 })).resolves.toEqual([]);
    expectError(
      await app.as(mia).patch('/settings', { email_address_visibility: 6 }),
      'Invalid email_address_visibility: Value error, Not in the list of possible values',
    );
  });
});

describe('One’s own password', () => {
  let pia: Member;

  beforeAll(async () => {
    const passwordHash = await app.get(Passwords).hash(PASSWORD);
    pia = await app.addAccount({
      deliveryEmail: 'pia@example.com',
      fullName: 'Pia',
      role: Role.member,
      passwordHash,
    });
  });

  const replace = (old_password: string, new_password: string) =>
    app.as(pia).patch('/settings', { old_password, new_password });

  it('cannot be one of the file of breached passwords', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'breached-')), 'hashes.txt');
    const hash = createHash('sha1').update('quite another lantern').digest('hex').toUpperCase();
    writeFileSync(file, `${hash}:7\r\n`);
    const careful = await TestApp.start({ env: { BREACHED_PASSWORDS_FILE: file } });
    const replaceBy = (new_password: string) =>
      careful.as(careful.cast.max).patch('/settings', { old_password: PASSWORD, new_password });
    expectError(await replaceBy('quite another lantern'), 'New password is too weak!');
    rmSync(dirname(file), { recursive: true });
    expect(await replaceBy('quite another lantern!')).toMatchObject({
      status: 503,
      body: { code: 'PASSWORDS_UNAVAILABLE' },
      headers: { 'retry-after': '60' },
    });
    mkdirSync(dirname(file));
    writeFileSync(file, `${hash}\n`);
    expectSuccess(await replaceBy('quite another lantern!'));
    await careful.stop();
    rmSync(dirname(file), { recursive: true });
  });

  it('changes with the old one only, for a strong one', async () => {
    expectError(await replace('wrong', 'quite another lantern'), 'Wrong password!');
    await changeOrganization(app, { name: 'Cloud Kitchen' });
    for (const weak of ['abc123', 'CloudKitchen2026', 'pia@kitchen', 'Parley12345'])
      expectError(await replace(PASSWORD, weak), 'New password is too weak!');
    expectSuccess(await replace(PASSWORD, 'quite another lantern'));
    expectError(await replace(PASSWORD, 'and yet another lantern'), 'Wrong password!');
    expectSuccess(await replace('quite another lantern', PASSWORD));
  });

  it('is not to be guessed: with the two above, five wrong ones are the most', async () => {
    for (let i = 0; i < 3; i++) {
      expectError(await replace('wrong', 'quite another lantern'), 'Wrong password!');
    }
    const refused = await replace(PASSWORD, 'quite another lantern');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
  });

  it('is not to be guessed with other addresses either: it counts by account', async () => {
    const polly = await app.addAccount({
      deliveryEmail: 'polly@example.com',
      fullName: 'Polly',
      role: Role.member,
      passwordHash: await app.get(Passwords).hash(PASSWORD),
    });
    const attempt = (old_password: string) =>
      app.as(polly).patch('/settings', { old_password, new_password: 'quite another lantern' });
    for (let i = 0; i < 5; i++) {
      expectError(await attempt('wrong'), 'Wrong password!');
      const change = { new_email: `polly${i}@example.com` };
      expectSuccess(await app.as(app.cast.olivia).patch(`/users/${polly.id}`, change));
    }
    expect(await attempt(PASSWORD)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
  });

  it('is none of a bot’s', async () => {
    expectError(
      await app.as(app.cast.robo).patch('/settings', { full_name: 'Other' }),
      'This endpoint does not accept bot requests.',
    );
  });
});

describe('Personal settings', () => {
  it('are told to their owner', async () => {
    const { mia } = app.cast;
    await expect(change(mia, { enter_sends: true, color_scheme: 2, emojiset: 'text' })).resolves.toEqual([
      [settingEvent('color_scheme', 2), [mia.id]],
      [settingEvent('emojiset', 'text'), [mia.id]],
      [settingEvent('enter_sends', true), [mia.id]],
    ]);
    await expect(change(mia, { emojiset: 'google-blob' })).resolves.toEqual([
      [settingEvent('emojiset', 'google-blob'), [mia.id]],
    ]);
    await expect(change(mia, { enter_sends: true })).resolves.toEqual([]);
    await expect(change(mia, { enter_sends: false })).resolves.toHaveLength(1);
  });

  it('name the language in English', async () => {
    const { mia } = app.cast;
    await expect(change(mia, { default_language: 'de' })).resolves.toEqual([
      [settingEvent('default_language', 'de', { language_name: 'German' }), [mia.id]],
    ]);
    expectError(
      await app.as(mia).patch('/settings', { default_language: 'nonsense' }),
      'Invalid default_language',
    );
  });

  it('include the time zone, which others see [USER-timezone]', async () => {
    const { mia } = app.cast;
    await expect(change(mia, { timezone: 'Asia/Kolkata' })).resolves.toEqual([
      [settingEvent('timezone', 'Asia/Kolkata'), [mia.id]],
      [personEvent({ user_id: mia.id, email: 'mia@example.com', timezone: 'Asia/Kolkata' }), everybody()],
    ]);
    await expect(ownRecord(mia)).resolves.toHaveProperty('timezone', 'Asia/Kolkata');
    expectError(
      await app.as(mia).patch('/settings', { timezone: 'Mars/Olympus' }),
      'Invalid timezone: Value error, Not a recognized time zone',
    );
    await change(mia, { timezone: '' });
  });

  it('hold a time zone under its present name', async () => {
    const { mia } = app.cast;
    await expect(change(mia, { timezone: 'US/Mountain' })).resolves.toEqual([
      [settingEvent('timezone', 'America/Denver'), [mia.id]],
      [
        expect.objectContaining({ person: expect.objectContaining({ timezone: 'America/Denver' }) }),
        everybody(),
      ],
    ]);
    await expect(change(mia, { timezone: 'Navajo' })).resolves.toEqual([]);
    await expect(ownRecord(mia)).resolves.toHaveProperty('timezone', 'America/Denver');
    await change(mia, { timezone: '' });
  });

  it('take the old word for the view of recent conversations, and send the new one', async () => {
    const { mia } = app.cast;
    await expect(change(mia, { web_home_view: 'recent_topics' })).resolves.toEqual([
      [settingEvent('web_home_view', 'recent'), [mia.id]],
    ]);
    await expect(change(mia, { web_home_view: 'recent' })).resolves.toEqual([]);
    await changeAccount(app, mia, { settings: '{"web_home_view":"recent_topics"}' });
    const { user_settings: settings } = await stateOf(app, mia, { wanted: ['user_settings'] });
    expect(settings).toHaveProperty('web_home_view', 'recent');
    await expect(change(mia, { web_home_view: 'inbox' })).resolves.toHaveLength(1);
  });

  it.each([
    [{ enter_sends: 1 }, 'enter_sends is not a boolean'],
    [{ enter_sends: 'True' }, 'enter_sends is not valid JSON'],
    [{ color_scheme: 4 }, 'Invalid color_scheme: Value error, Not in the list of possible values'],
    [{ web_home_view: 'nowhere' }, 'Invalid web_home_view'],
    [{ emojiset: 'apple' }, 'Invalid emojiset: Value error, Not in the list of possible values'],
    [{ notification_sound: 'A B' }, "Invalid notification sound 'A B'"],
    [{ notification_sound: 'trumpet' }, "Invalid notification sound 'trumpet'"],
    [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
    [
      { email_notifications_batching_period_seconds: 604_801 },
      'Invalid email batching period: 604801 seconds',
    ],
    [
      { email_notifications_batching_period_seconds: '"120"' },
      'email_notifications_batching_period_seconds is not an integer',
    ],
    [{ web_font_size_px: 1_000_000 }, 'web_font_size_px is too large'],
  ])('refuse %j', async (parameters, message) => {
    expectError(await app.as(app.cast.mia).patch('/settings', parameters), message);
  });

  it('go by two more paths, which old clients know', async () => {
    const { mia } = app.cast;
    for (const path of ['/settings/display', '/settings/notifications']) {
      const events = await app.captureEvents(async () => {
        expectSuccess(await app.as(mia).patch(path, { left_side_userlist: true, enable_sounds: false }));
        expectSuccess(await app.as(mia).patch(path, { left_side_userlist: false, enable_sounds: true }));
      });
      expect(events.map(({ event }) => event.property)).toEqual([
        'left_side_userlist',
        'enable_sounds',
        'left_side_userlist',
        'enable_sounds',
      ]);
    }
  });

  it('change together or not at all', async () => {
    const { mia } = app.cast;
    const answer = await app.as(mia).patch('/settings', {
      full_name: 'Half Done',
      email: 'max@example.com',
      old_password: PASSWORD,
    });
    expectError(answer, 'Email is already in use.');
    await expect(ownRecord(mia)).resolves.toHaveProperty('full_name', 'Mia Member');
  });

  it('report what they do not know', async () => {
    const answer = await app.as(app.cast.mia).patch('/settings', { enter_sends: false, dense_mode: true });
    expectSuccess(answer, { ignored: ['dense_mode'] });
  });
});

describe('Clients that register', () => {
  const settingsOf = async (member: Member | null) =>
    (await stateOf(app, member, { wanted: ['user_settings'] })).user_settings as Record<string, unknown>;

  const newPerson = () =>
    app.addAccount({
      deliveryEmail: `new${++people}@example.com`,
      fullName: `New Person ${people}`,
      role: Role.member,
    });
  let people = 0;

  it('are told the settings of a new account, and what to choose from', async () => {
    const settings = await settingsOf(await newPerson());
    expect(settings).toMatchObject({
      timezone: '',
      email_address_visibility: 1,
      default_language: 'en',
      web_home_view: 'inbox',
      twenty_four_hour_time: false,
      send_private_typing_notifications: true,
      pm_content_in_desktop_notifications: true,
      emojiset_choices: [
        { key: 'google', text: 'Google' },
        { key: 'google-blob', text: 'Google blobs' },
        { key: 'twitter', text: 'Twitter' },
        { key: 'text', text: 'Plain text' },
      ],
      available_notification_sounds: ['ding', 'zulip'],
    });
    const { realm_user_settings_defaults: defaults } = await stateOf(app, app.cast.gus, {
      wanted: ['realm_user_settings_defaults'],
    });
    const { timezone: _, ...others } = settings;
    expect(defaults).toEqual(others);
  });

  it('find in a new state what the events told of the old one', async () => {
    const member = await newPerson();
    const before = await settingsOf(member);
    const flipped = Object.entries(before).flatMap(([name, value]) =>
      typeof value === 'boolean' ? [[name, !value] as const] : [],
    );
    const chosen = {
      ...Object.fromEntries(flipped),
      color_scheme: 3,
      default_language: 'fr',
      web_home_view: 'recent',
      demote_inactive_streams: 2,
      emojiset: 'twitter',
      web_animate_image_previews: 'never',
      web_channel_default_view: 2,
      web_font_size_px: 20,
      web_line_height_percent: 120,
      web_mark_read_on_scroll_policy: 3,
      web_stream_unreads_count_display_policy: 1,
      user_list_style: 1,
      resolved_topic_notice_auto_read_policy: 'always',
      notification_sound: 'none',
      desktop_icon_count_display: 4,
      realm_name_in_email_notifications_policy: 2,
      email_notifications_batching_period_seconds: 604_800,
      automatically_follow_topics_policy: 4,
      automatically_unmute_topics_in_muted_streams_policy: 1,
      email_address_visibility: 5,
      timezone: 'Europe/Berlin',
    };
    const unknown = ['emojiset_choices', 'available_notification_sounds'];
    expect(Object.keys(chosen).sort()).toEqual(
      Object.keys(before)
        .filter((name) => !unknown.includes(name))
        .sort(),
    );
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(member).patch('/settings', chosen));
    });
    const told = events.filter(({ event }) => event.type === 'user_settings');
    expect(told.every(({ audience }) => audience.join() === String(member.id))).toBe(true);
    const after = { ...before };
    for (const { event } of told) after[event.property] = event.value;
    expect(after).toEqual({ ...before, ...chosen });
    await expect(settingsOf(member)).resolves.toEqual(after);
  });
});
