import { check, topicOf } from '../check';
import { absent, CheckSkipped, expectThat, list, listWith, number, text } from '../expectations';

/** Requests without a required parameter, and its name. */
const MISSING: readonly (readonly [string, object, string])[] = [
  ['POST /messages', { to: 'x', topic: 'x', content: 'x' }, 'type'],
  ['POST /messages', { type: 'stream', to: 'x', topic: 'x' }, 'content'],
  ['POST /messages/render', {}, 'content'],
  ['POST /messages/flags', { op: 'add', flag: 'read' }, 'messages'],
  ['POST /messages/flags', { messages: [1], flag: 'read' }, 'op'],
  ['POST /users/me/subscriptions', {}, 'subscriptions'],
  ['DELETE /users/me/subscriptions', {}, 'subscriptions'],
  ['GET /get_stream_id', {}, 'stream'],
  ['POST /users', { password: 'x', full_name: 'x' }, 'email'],
  ['POST /user_groups/create', { description: '', members: [] }, 'name'],
  ['POST /realm/filters', { url_template: 'https://example.com' }, 'pattern'],
  ['POST /users/me/presence', {}, 'status'],
  ['POST /typing', { to: [1] }, 'op'],
];

/** Requests with a malformed value. */
const UNREADABLE: readonly (readonly [string, object])[] = [
  ['GET /messages', { anchor: 'newest', num_before: 'many', num_after: 0 }],
  ['GET /messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: '[' }],
  ['POST /messages/flags', { messages: '{', op: 'add', flag: 'read' }],
  ['POST /users/me/subscriptions', { subscriptions: 'general' }],
  ['PATCH /settings', { twenty_four_hour_time: 'perhaps' }],
  ['POST /register', { event_types: 'message' }],
];

/** The format of errors, and the handling of malformed requests. */
export const ENVELOPE = topicOf(
  'errors',
  ...MISSING.map(([route, parameters, name]) =>
    check(
      `names what is missing: ${name} of ${route}`,
      'Authors of clients learn it from the answer.',
      async ({ owner }) => {
        const answer = await owner.client.refused(route, { ...parameters }, 400, 'REQUEST_VARIABLE_MISSING');
        expectThat(route, answer, { var_name: name, msg: text });
      },
    ),
  ),
  ...UNREADABLE.map(([route, parameters]) =>
    check(
      `refuses what cannot be read: ${route} ${JSON.stringify(parameters)}`,
      'It is an error of the request, never of the server.',
      async ({ owner }) => {
        await owner.client.refused(route, { ...parameters }, 400, 'BAD_REQUEST');
      },
    ),
  ),
  check(
    'has nothing at unknown paths',
    'Clients of newer servers ask for more than there is, and go on without it.',
    async ({ owner }) => {
      const { status } = await owner.client.ask('GET /nothing/of/this/kind');
      expectThat('status of GET /nothing/of/this/kind', status, 404);
    },
  ),
  check(
    'refuses methods that a path has not',
    'A header names the methods that it has; the answer may be empty.',
    async ({ anonymous }) => {
      const { status, headers } = await anonymous.ask('DELETE /server_settings');
      expectThat(
        'DELETE /server_settings',
        { status, allow: headers.get('allow') },
        { status: 405, allow: /GET/ },
      );
    },
  ),
  check(
    'says what is the matter in words and in a code',
    'People read the one, and programs the other.',
    async (scene) => {
      const answer = await scene.owner.client.refused('GET /get_stream_id', { stream: scene.word() });
      expectThat('GET /get_stream_id', answer, { msg: /\w/, code: /^[A-Z_]+$/ });
    },
  ),
  check('calls no refusal a success', 'Keys of the answer that was wanted are not in it.', async (scene) => {
    const answer = await scene.owner.client.refused('GET /get_stream_id', { stream: scene.word() });
    expectThat('GET /get_stream_id', answer, { stream_id: absent });
  }),
  check(
    'takes parameters of changes from the query as well',
    'Some libraries put those of DELETE there.',
    async (scene) => {
      const { name } = await scene.makeChannel();
      const query = new URLSearchParams({ subscriptions: JSON.stringify([name]) });
      expectThat(
        'DELETE /users/me/subscriptions?…',
        await scene.owner.client.ok(`DELETE /users/me/subscriptions?${query.toString()}`),
        { removed: listWith(name) },
      );
    },
  ),
  check(
    'tells clients that ask too often when to ask again',
    'They wait so long, and no longer.',
    ({ limited }) => {
      if (!limited) throw new CheckSkipped('No request of this run met the rate limit.');
      expectThat(
        'an answer with status 429',
        { after: limited.headers.get('retry-after'), body: limited.body },
        { after: /^\d/, body: { result: 'error', msg: text, code: 'RATE_LIMIT_HIT', 'retry-after': number } },
      );
      return Promise.resolve();
    },
  ),
  check('answers with JSON', 'The header says so.', async ({ owner }) => {
    const { headers } = await owner.client.ask('GET /users/me');
    expectThat('Content-Type', headers.get('content-type'), /^application\/json/);
  }),
  check('has "result" and "msg" in each success', 'Clients look there first.', async ({ owner }) => {
    expectThat('GET /users/me', await owner.client.ok('GET /users/me'), { result: 'success', msg: '' });
  }),
);

/** Unknown parameters. */
export const IGNORED = topicOf(
  'ignored parameters',
  ...['GET /users', 'GET /streams', 'GET /user_groups', 'GET /users/me/subscriptions'].map((route) =>
    check(`are named: ${route}`, 'Authors of clients find their typing errors.', async (scene) => {
      const name = scene.word();
      expectThat(route, await scene.owner.client.ok(route, { [name]: '1' }), {
        ignored_parameters_unsupported: listWith(name),
      });
    }),
  ),
  check(
    'are named by requests that change something',
    'What was asked for is done all the same.',
    async (scene) => {
      const name = scene.word();
      const answer = await scene.owner.client.ok('POST /messages', {
        type: 'stream',
        to: scene.channel.name,
        topic: 'checks',
        content: 'x',
        [name]: '1',
      });
      expectThat('POST /messages', answer, { ignored_parameters_unsupported: listWith(name) });
    },
  ),
  check(
    'are not spoken of where there are none',
    'Clients take the key for a warning.',
    async ({ owner }) => {
      expectThat('GET /users', await owner.client.ok('GET /users', { client_gravatar: true }), {
        ignored_parameters_unsupported: absent,
      });
    },
  ),
  check('come as a list', 'There may be several.', async (scene) => {
    const names = [scene.word(), scene.word()];
    const answer = await scene.owner.client.ok('GET /streams', {
      [names[0] ?? '']: '1',
      [names[1] ?? '']: '2',
    });
    expectThat('GET /streams', answer, { ignored_parameters_unsupported: list });
    expectThat('how many', (answer['ignored_parameters_unsupported'] as string[]).length, 2);
  }),
);
