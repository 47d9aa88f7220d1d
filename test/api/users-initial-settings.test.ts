import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import type { Member } from '../support/cast';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const PATH = '/realm/user_settings_defaults';
const change = (settings: Record<string, unknown>, member: Member = app.cast.adam) =>
  app.as(member).patch(PATH, settings);

/** The settings of a person, or with `realm_user_settings_defaults` those that new people get. */
async function settingsOf(member: Pick<Member, 'id'>, key = 'user_settings') {
  return (await stateOf(app, member, { wanted: [key] }))[key];
}

let people = 0;

/** Somebody whom an administrator made through the interface. */
async function newcomer(): Promise<Member> {
  const email = `newcomer-${++people}@example.com`;
  const parameters = { email, full_name: `Newcomer ${people}`, password: 'a plain lantern at noon' };
  const { user_id: id } = expectSuccess(await app.as(app.cast.olivia).post('/users', parameters));
  return { id, email, fullName: parameters.full_name, role: 400 };
}

describe('The settings with which people begin', () => {
  it('are changed by administrators, told to everybody, and obeyed for those who join later', async () => {
    const { mia } = app.cast;
    const before = await settingsOf(mia);
    const wanted = {
      color_scheme: 2,
      twenty_four_hour_time: true,
      web_home_view: 'recent',
      email_address_visibility: 3,
      automatically_follow_topics_policy: 4,
    };
    const events = await app.captureEvents(async () => {
      expectSuccess(await change(wanted));
      expectSuccess(await change({ color_scheme: 2 }));
    });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(
        Object.entries(wanted).map(([property, value]) => ({
          type: 'realm_user_settings_defaults',
          op: 'update',
          property,
          value,
        })),
      ),
    );
    expect(events).toHaveLength(Object.keys(wanted).length);
    expect(events[0]?.audience).toContain(app.cast.gus.id);
    await expect(settingsOf(mia, 'realm_user_settings_defaults')).resolves.toMatchObject(wanted);
    await expect(settingsOf(await newcomer())).resolves.toMatchObject(wanted);
    await expect(settingsOf(mia)).resolves.toEqual(before);
  });

  it('may be taken back', async () => {
    expectSuccess(await change({ enter_sends: true }));
    expectSuccess(await change({ enter_sends: false }));
    await expect(settingsOf(await newcomer())).resolves.toMatchObject({ enter_sends: false });
  });

  it('do not reach bots', async () => {
    const { mia } = app.cast;
    expectSuccess(await change({ high_contrast_mode: true }));
    const bot = { full_name: 'Plain Bot', short_name: 'plain' };
    const { user_id: id } = expectSuccess(await app.as(mia).post('/bots', bot));
    await expect(settingsOf({ id })).resolves.toMatchObject({ high_contrast_mode: false });
  });

  it('have the values that personal settings may have', async () => {
    expectError(
      await change({ color_scheme: 4 }),
      'Invalid color_scheme: Value error, Not in the list of possible values',
    );
    expectError(await change({ notification_sound: 'gong' }), "Invalid notification sound 'gong'");
    expectError(
      await change({ email_notifications_batching_period_seconds: 0 }),
      'Invalid email batching period: 0 seconds',
    );
    expectError(
      await change({ email_address_visibility: 9 }),
      'Invalid email_address_visibility: Value error, Not in the list of possible values',
    );
    const ignored = ['default_language', 'timezone'];
    expectSuccess(await change({ default_language: 'de', timezone: 'UTC' }), { ignored });
  });

  it('are for administrators', async () => {
    const message = 'Must be an organization administrator';
    expectError(await change({ color_scheme: 3 }, app.cast.mona), message, {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});
