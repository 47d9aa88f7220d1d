import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

describe('The server introduces itself', () => {
  it('to anybody, whatever credentials they send, with its release and feature level [VER-R2, VER-R3]', async () => {
    expectSuccess(
      await app.as(app.cast.adam).patch('/realm', { name: 'Acme', description: 'Making *things*' }),
    );
    const settings = expectSuccess(await app.client().get('/server_settings'));
    expect(settings).toEqual({
      result: 'success',
      msg: '',
      authentication_methods: expect.objectContaining({
        password: true,
        email: true,
        dev: false,
        discord: false,
        ldap: false,
      }),
      external_authentication_methods: [],
      zulip_version: '12.0',
      zulip_merge_base: '12.0',
      zulip_feature_level: 497,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: 'http://chat.example.com',
      realm_uri: 'http://chat.example.com',
      realm_name: 'Acme',
      realm_icon: '/user_avatars/1/realm/icon.png?version=1',
      realm_description: expect.stringMatching(/^<p>Making/),
      realm_web_public_access_enabled: false,
    });
    const wrong = { email: 'nobody@example.com', apiKey: 'x'.repeat(32) };
    expect(expectSuccess(await app.client(wrong).get('/server_settings'))).toEqual(settings);
  });
});
