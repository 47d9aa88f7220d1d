import { check, topicOf } from '../check';
import { expectThat, text } from '../expectations';

/** How people and bots come to their keys. */
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
