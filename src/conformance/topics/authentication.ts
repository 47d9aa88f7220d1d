import { check, topicOf } from '../check';
import { expectThat, text } from '../expectations';

/** Requests that need a key, one of each kind. */
const CLOSED = [
  'GET /users',
  'GET /users/me',
  'GET /streams',
  'GET /users/me/subscriptions',
  'GET /messages',
  'GET /user_groups',
  'GET /drafts',
  'GET /scheduled_messages',
  'GET /attachments',
  'GET /realm/linkifiers',
  'GET /realm/emoji',
  'GET /realm/profile_fields',
  'GET /events',
  'POST /messages',
  'POST /messages/flags',
  'POST /users/me/subscriptions',
  'POST /user_groups/create',
  'POST /user_uploads',
  'PATCH /settings',
  'PATCH /realm',
  'DELETE /users/me',
];

/** Which callers are accepted, and how others are refused. */
export const AUTHENTICATION = topicOf(
  'authentication',
  ...CLOSED.map((route) =>
    check(
      `is asked for: ${route}`,
      'Nothing of an organization is told to strangers.',
      async ({ anonymous }) => {
        await anonymous.refused(
          route,
          { anchor: 'newest', num_before: 0, num_after: 0, narrow: [] },
          401,
          'UNAUTHORIZED',
        );
      },
    ),
  ),
  check('lets the owner in', 'The key that was given is that of the owner.', async ({ owner }) => {
    expectThat('GET /users/me', await owner.client.ok('GET /users/me'), { user_id: owner.id });
  }),
  check('lets a bot in', 'Bots have keys of their own.', async ({ bot }) => {
    expectThat('GET /users/me', await bot.client.ok('GET /users/me'), { user_id: bot.id, is_bot: true });
  }),
  check(
    'refuses a wrong key',
    'Clients then ask their users to sign in again.',
    async ({ owner, anonymous }) => {
      const wrong = anonymous.as({ email: owner.email, apiKey: 'a'.repeat(32) });
      await wrong.refused('GET /users/me', {}, 401, 'UNAUTHORIZED');
    },
  ),
  check('refuses an unknown address', 'It is answered like a wrong key.', async (scene) => {
    const { owner, anonymous } = scene;
    const key = owner.client.credentials?.apiKey ?? '';
    const stranger = anonymous.as({ email: `${scene.word()}@example.com`, apiKey: key });
    await stranger.refused('GET /users/me', {}, 401, 'UNAUTHORIZED');
  }),
  check(
    'refuses the key of another account',
    'Key and address belong together.',
    async ({ owner, bot, anonymous }) => {
      const mixed = anonymous.as({
        email: owner.email,
        apiKey: bot.client.credentials?.apiKey ?? '',
      });
      await mixed.refused('GET /users/me', {}, 401, 'UNAUTHORIZED');
    },
  ),
  check('refuses a wrong password for a key', 'Keys cannot be guessed.', async ({ anonymous, owner }) => {
    const { status, body } = await anonymous.ask('POST /fetch_api_key', {
      username: owner.email,
      password: 'wrong',
    });
    expectThat(
      'POST /fetch_api_key',
      { status, result: body['result'] },
      { status: (code: unknown) => code === 401 || code === 403, result: 'error' },
    );
  }),
  check(
    'asks for both parts of a sign-in',
    'The answer names what is missing.',
    async ({ anonymous, owner }) => {
      const answer = await anonymous.refused(
        'POST /fetch_api_key',
        { username: owner.email },
        400,
        'REQUEST_VARIABLE_MISSING',
      );
      expectThat('POST /fetch_api_key', answer, { var_name: 'password' });
    },
  ),
);

/** How people and bots get their keys. */
export const CREDENTIALS = topicOf(
  'API keys',
  check(
    'gives people their key for their password',
    'Clients keep the key, and forget the password.',
    async (scene) => {
      const { person, anonymous } = scene;
      expectThat(
        'POST /fetch_api_key',
        await anonymous.ok('POST /fetch_api_key', { username: person.email, password: person.password }),
        { api_key: person.client.credentials?.apiKey, email: text, user_id: person.id },
      );
    },
  ),
  check(
    'gives no key for the password of another',
    'Address and password belong together.',
    async (scene) => {
      const { person, anonymous } = scene;
      const { status, body } = await anonymous.ask('POST /fetch_api_key', {
        username: `${scene.word()}@example.com`,
        password: person.password,
      });
      expectThat(
        'POST /fetch_api_key',
        { status, result: body['result'] },
        { status: (code: unknown) => code === 401 || code === 403, result: 'error' },
      );
    },
  ),
  check('takes addresses in capitals', 'Telephones begin them with one.', async ({ person }) => {
    const client = person.client.as({
      email: person.email.toUpperCase(),
      apiKey: person.client.credentials?.apiKey ?? '',
    });
    expectThat('GET /users/me', await client.ok('GET /users/me'), { user_id: person.id });
  }),
  check(
    'says which way to sign in it takes',
    'Libraries ask for credentials then.',
    async ({ anonymous }) => {
      const { status, headers } = await anonymous.ask('GET /users/me');
      expectThat(
        'GET /users/me',
        { status, scheme: headers.get('www-authenticate') },
        { status: 401, scheme: /^Basic / },
      );
    },
  ),
  check(
    'shows the key of a bot to its owner alone',
    'Anyone with the key can act as the bot.',
    async (scene) => {
      const { owner, bot } = scene;
      const key = bot.client.credentials?.apiKey ?? '';
      const bots = JSON.stringify((await owner.client.ok('GET /bots'))['bots']);
      expectThat('bots of the owner', bots.includes(key), true);
      const seen = await scene.person.client.ok('GET /bots');
      expectThat('bots of another user', JSON.stringify(seen).includes(key), false);
    },
  ),
  check('keeps keys out of the list of accounts', 'Everybody reads it.', async ({ owner, bot }) => {
    const key = bot.client.credentials?.apiKey ?? '';
    const members = await owner.client.ok('GET /users');
    expectThat('GET /users', JSON.stringify(members).includes(key), false);
  }),
);
