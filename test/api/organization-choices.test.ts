import { OrganizationDirectory } from '../../src/features/organization-settings/organization.directory';
import type { Parameters } from '../support/api-client';
import { PASSWORD } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({
    env: { GIPHY_API_KEY: 'giphy-key', JITSI_SERVER_URL: 'https://calls.example.com' },
  });
});

afterAll(() => app.stop());

const change = (parameters: Parameters, by = app.cast.olivia) => app.as(by).patch('/realm', parameters);

/** What a change answers beside the envelope, and the events that it has. */
async function changed(parameters: Parameters) {
  const answers: Record<string, unknown>[] = [];
  const events = await app.captureEvents(async () => {
    const { result, msg, ...answer } = expectSuccess(await change(parameters));
    answers.push(answer);
  });
  return { answer: answers[0], events: events.map(({ event }) => event) };
}

const updated = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value });

describe('What clients alone obey', () => {
  it.each([
    ['message_content_allowed_in_email_notifications', false],
    ['enable_guest_user_indicator', false],
    ['enable_guest_user_dm_warning', false],
    ['video_chat_provider', 0],
  ])('is kept, answered and told: %s', async (name, value) => {
    expect(await changed({ [name]: value })).toEqual({
      answer: { [name]: value },
      events: [updated(name, value)],
    });
    expect(await stateOf(app, app.cast.gus, { wanted: ['realm'] })).toMatchObject({
      [`realm_${name}`]: value,
    });
    expect(await changed({ [name]: value })).toEqual({ answer: {}, events: [] });
  });

  it('is a kind of organization, of those that there are, and told even where it is the same', async () => {
    const told = { answer: { org_type: 20 }, events: [updated('org_type', 20)] };
    expect(await changed({ org_type: 20 })).toEqual(told);
    expect(await changed({ org_type: 20 })).toEqual(told);
    expect(await stateOf(app, app.cast.mia, { wanted: ['realm'] })).toMatchObject({ realm_org_type: 20 });
    expectError(await change({ org_type: 21 }), 'Invalid org_type');
  });

  it('is up to which rating GIFs are shown, which older clients are told in their way', async () => {
    expect(await changed({ gif_rating_policy: 4 })).toEqual({
      answer: { gif_rating_policy: 4 },
      events: [updated('gif_rating_policy', 4), updated('giphy_rating', 4)],
    });
    expectError(await change({ gif_rating_policy: 6 }), 'Invalid gif_rating_policy 6');
    const state = await stateOf(app, app.cast.mia, { wanted: ['realm', 'giphy', 'klipy'] });
    expect(state).toMatchObject({
      giphy_api_key: 'giphy-key',
      klipy_api_key: '',
      realm_gif_rating_policy: 4,
    });
    expect(Object.keys(state.gif_rating_policy_options)).toEqual(['disabled', 'y', 'g', 'pg', 'pg-13', 'r']);
  });

  it('is the server of video calls: that of the operator, or another', async () => {
    const state = async () => {
      const all = await stateOf(app, app.cast.mia, { wanted: ['realm'] });
      return [all.realm_jitsi_server_url, all.jitsi_server_url, all.server_jitsi_server_url];
    };
    const [operators, own] = ['https://calls.example.com', 'https://meet.example.org/rooms'];
    expect(await state()).toEqual([null, operators, operators]);
    expect(await changed({ jitsi_server_url: JSON.stringify(own) })).toEqual({
      answer: { jitsi_server_url: 'updated' },
      events: [updated('jitsi_server_url', own)],
    });
    expect(await state()).toEqual([own, own, operators]);
    expect(await changed({ jitsi_server_url: '"default"' })).toEqual({
      answer: { jitsi_server_url: null },
      events: [updated('jitsi_server_url', null)],
    });
    expectError(await change({ jitsi_server_url: '3' }), 'jitsi_server_url is not a string');
    const refused = [
      'javascript:alert(1)',
      'meet.example.org',
      `https://${'x'.repeat(200)}`,
      'https://a b',
      'https://a.example/\u202egnp',
      '',
    ];
    for (const url of refused) {
      expectError(
        await change({ jitsi_server_url: JSON.stringify(url) }),
        'jitsi_server_url is not an allowed_type',
      );
    }
    for (const provider of [3, 8, -1]) {
      expectError(await change({ video_chat_provider: provider }), `Invalid video_chat_provider ${provider}`);
    }
  });
});

describe('What the server does not do', () => {
  it.each([
    ['invite_required', true, false, 'An invitation is always required to join.'],
    ['digest_emails_enabled', false, true, 'This server does not send such email.'],
    ['digest_weekday', 1, 3, 'This server does not send such email.'],
    ['send_welcome_emails', false, true, 'This server does not send such email.'],
    ['inline_url_embed_preview', false, true, 'This server does not generate website previews.'],
    [
      'want_advertise_in_communities_directory',
      false,
      true,
      'This server cannot be listed in the communities directory.',
    ],
  ])('is not promised: %s', async (name, only, other, reason) => {
    expectSuccess(await change({ [name]: only }));
    expectError(await change({ [name]: other, name: 'Taken' }), `'${name}' cannot be changed. ${reason}`);
    expect(app.get(OrganizationDirectory).settings.name).not.toBe('Taken');
    expect(await stateOf(app, app.cast.mia, { wanted: ['realm'] })).toMatchObject({
      [`realm_${name}`]: only,
    });
  });

  it('has no other ways of signing in, and no other address', async () => {
    const { adam } = app.cast;
    expectSuccess(await change({ authentication_methods: { Email: true } }));
    expectError(
      await change({ authentication_methods: { Email: false } }),
      'At least one authentication method must be enabled.',
    );
    for (const name of ['Dev', 'GitHub', 'toString']) {
      expectError(
        await change({ authentication_methods: { Email: true, [name]: true } }),
        `Invalid authentication method: ${name}. Valid methods are: ['Email']`,
      );
    }
    for (const parameters of [
      { authentication_methods: { Email: true } },
      { string_id: 'other' },
      { invite_required: true },
    ]) {
      expectError(await change(parameters, adam), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
    expectError(await change({ string_id: 'other', name: 'Taken' }), 'Must be a demo organization.');
    expect(app.get(OrganizationDirectory).settings.name).not.toBe('Taken');
  });
});

describe('PATCH /realm', () => {
  it('answers with what changed: texts by a word, some words by a number', async () => {
    const owners = systemGroupId(app, 'role:owners');
    const channel = await createChannel(app, app.cast.olivia, 'news');
    const { answer } = await changed({
      name: 'Acme & Co',
      description: 'Makers',
      message_content_edit_limit_seconds: 'unlimited',
      message_retention_days: 7,
      can_create_groups: { new: owners },
      signup_announcements_stream_id: channel,
      message_edit_history_visibility_policy: 'all',
      topics_policy: 'allow_empty_topic',
    });
    expect(answer).toEqual({
      name: 'updated',
      description: 'updated',
      message_content_edit_limit_seconds: null,
      message_retention_days: 7,
      can_create_groups: owners,
      signup_announcements_stream_id: channel,
      message_edit_history_visibility_policy: 1,
      topics_policy: 2,
    });
    expect((await changed({ name: 'Acme & Co', can_create_groups: { new: owners } })).answer).toEqual({});
    expect(
      (await changed({ signup_announcements_stream_id: -7, message_retention_days: 'unlimited' })).answer,
    ).toEqual({
      signup_announcements_stream_id: -1,
      message_retention_days: -1,
    });
  });

  it('refuses for the first reason in the order in which clients expect them', async () => {
    const { adam, olivia } = app.cast;
    const wrong = {
      string_id: 'x',
      signup_announcements_stream_id: 999_999,
      can_create_groups: { new: 999_999 },
      message_content_edit_limit_seconds: 0,
      waiting_period_threshold: 3,
      message_retention_days: 0,
      gif_rating_policy: 9,
      video_chat_provider: 9,
      authentication_methods: { Email: false },
      default_language: 'klingonish',
    };
    const owner = 'Must be an organization owner';
    const reasons: [keyof typeof wrong, string, string?][] = [
      ['default_language', "Invalid language 'klingonish'"],
      ['authentication_methods', 'At least one authentication method must be enabled.', owner],
      ['video_chat_provider', 'Invalid video_chat_provider 9'],
      ['gif_rating_policy', 'Invalid gif_rating_policy 9'],
      ['message_retention_days', "Bad value for 'message_retention_days': 0", owner],
      ['message_content_edit_limit_seconds', "Bad value for 'message_content_edit_limit_seconds': 0", owner],
      ['can_create_groups', 'Invalid user group', owner],
      ['signup_announcements_stream_id', 'Invalid channel ID', owner],
      ['string_id', 'Must be a demo organization.', owner],
    ];
    const parameters: Parameters = { ...wrong };
    for (const [name, ownersReason, othersReason = ownersReason] of reasons) {
      expect((await change(parameters)).body.msg).toBe(ownersReason);
      expect((await change(parameters, adam)).body.msg).toBe(othersReason);
      Reflect.deleteProperty(parameters, name);
    }
    expect((await change(parameters, adam)).body.msg).toBe(owner);
    expectSuccess(await change(parameters, olivia));
  });
});

describe('The workplace', () => {
  it('consists of roles, of people, and of groups whose members administrators alone change', async () => {
    const { olivia, mia, gus } = app.cast;
    const refusal =
      "'workplace_users_group' must be a group whose membership can only be managed by organization administrators.";
    const choose = (value: unknown) => change({ workplace_users_group: { new: value } });
    const administrators = systemGroupId(app, 'role:administrators');
    const kept = { can_leave_group: administrators, can_manage_group: administrators };
    const staff = await makeGroup(app, olivia, 'staff', { members: [mia.id], ...kept });
    const club = await makeGroup(app, olivia, 'club', { members: [mia.id] });
    const both = await makeGroup(app, olivia, 'both', { subgroups: [staff, club], ...kept });
    for (const value of [club, both, { direct_members: [gus.id], direct_subgroups: [staff, club] }]) {
      expectError(await choose(value), refusal);
    }
    const taken = [staff, systemGroupId(app, 'role:moderators'), peopleAlone(mia, gus)];
    for (const value of taken) expectSuccess(await choose(value));
    expectSuccess(await change({ can_manage_all_groups: { new: peopleAlone(mia) } }));
    expectError(await choose(staff), refusal);
  });
});

describe('Ways of signing in to a development server', () => {
  let development: TestApp;

  beforeAll(async () => {
    development = await TestApp.start({ env: { SERVER_MODE: 'development' } });
  });

  afterAll(() => development.stop());

  it('can be switched off, as long as one is left', async () => {
    const { olivia } = development.cast;
    const choose = (methods: Record<string, boolean>) =>
      development.as(olivia).patch('/realm', { authentication_methods: methods });
    const username = olivia.email;
    const withPassword = () => development.client().post('/fetch_api_key', { username, password: PASSWORD });
    const withoutPassword = () => development.client().post('/dev_fetch_api_key', { username });
    const methods = async () =>
      expectSuccess(await development.client().get('/server_settings')).authentication_methods;

    const events = await development.captureEvents(async () => {
      expect(expectSuccess(await choose({ Dev: false }))).toMatchObject({
        authentication_methods: { Dev: false, Email: true },
      });
    });
    const shown = {
      Dev: { enabled: false, available: true },
      Email: { enabled: true, available: true },
    };
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update_dict', property: 'default', data: { authentication_methods: shown } },
    ]);
    expect(await stateOf(development, olivia, { wanted: ['realm'] })).toMatchObject({
      realm_authentication_methods: shown,
    });
    expectError(await withoutPassword(), 'DevAuthBackend not enabled.');
    expectError(await development.client().get('/dev_list_users'), 'DevAuthBackend not enabled.');
    expectSuccess(await withPassword());
    expect(await methods()).toMatchObject({ password: true, email: true, dev: false });
    expectError(await choose({ Email: false }), 'At least one authentication method must be enabled.');

    expectSuccess(await choose({ Dev: true, Email: false }));
    expectSuccess(await withoutPassword());
    expectError(await withPassword(), 'Password authentication is disabled in this organization', {
      status: 401,
      code: 'PASSWORD_AUTH_DISABLED',
    });
    const login = { email: olivia.email, password: PASSWORD };
    expect(await development.companion().post('/auth/login', login)).toMatchObject({ status: 403 });
    expect(await methods()).toMatchObject({ password: false, email: false, dev: true });
    expectSuccess(await choose({ Email: true }));
  });
});
