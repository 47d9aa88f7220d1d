import { check, topicOf } from '../check';
import { boolean, expectThat, list, number, object, text } from '../expectations';

/** What anybody may ask a server before signing in. */
export const SERVER_SETTINGS = topicOf(
  'server settings',
  check('are told to anybody', 'Clients request them before sign-in.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      result: 'success',
      msg: text,
    });
  }),
  check(
    'name the version',
    'Clients show it, and refuse servers that are too old.',
    async ({ anonymous }) => {
      expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
        zulip_version: /^\d+\.\d+/,
      });
    },
  ),
  check('name the feature level', 'Clients decide by it what they may use.', async ({ anonymous }) => {
    const { zulip_feature_level: level } = await anonymous.ok('GET /server_settings');
    expectThat(
      'zulip_feature_level',
      level,
      (value: unknown) => Number.isInteger(value) && Number(value) > 0,
    );
  }),
  check('say where the organization is', 'All further requests go there.', async ({ anonymous, level }) => {
    const settings = await anonymous.ok('GET /server_settings');
    expectThat(
      'address of the organization',
      settings[level >= 257 ? 'realm_url' : 'realm_uri'],
      /^https?:\/\//,
    );
  }),
  check('name the organization', 'It stands above the form to sign in.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      realm_name: text,
      realm_description: text,
      realm_icon: text,
    });
  }),
  check('say how one signs in', 'Clients offer these ways and no others.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      authentication_methods: object,
      external_authentication_methods: list,
      email_auth_enabled: boolean,
      require_email_format_usernames: boolean,
    });
  }),
  check('say of each way whether it is on', 'Every value is a boolean.', async ({ anonymous }) => {
    const { authentication_methods: methods } = await anonymous.ok('GET /server_settings');
    expectThat('authentication_methods', Object.values(methods as object).every(boolean), true);
  }),
  check(
    'say whether notifications can be pushed',
    'Clients on phones warn where they cannot.',
    async ({ anonymous }) => {
      expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
        push_notifications_enabled: boolean,
      });
    },
  ),
  check('tell a client whether it is too old', 'Clients then ask to be updated.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      is_incompatible: boolean,
    });
  }),
  check(
    'agree with what is told at registration',
    'A client would otherwise take two servers for one.',
    async ({ anonymous, owner }) => {
      const { zulip_feature_level: level, zulip_version: version } =
        await anonymous.ok('GET /server_settings');
      const state = await owner.client.ok('POST /register', { event_types: ['message'] });
      await owner.client.ask('DELETE /events', { queue_id: state['queue_id'] });
      expectThat('POST /register', state, { zulip_feature_level: level, zulip_version: version });
      expectThat('zulip_feature_level', level, number);
    },
  ),
);
