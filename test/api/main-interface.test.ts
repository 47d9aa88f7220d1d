import { apiKeyOf } from '../support/account-setup';
import type { Method } from '../support/api-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

/** What the specification lists first: endpoints 1 to 12, those that ask for credentials. */
const ENDPOINTS: readonly (readonly [Method, string])[] = [
  ['POST', '/users/me/subscriptions'],
  ['DELETE', '/users/me/subscriptions'],
  ['PATCH', '/users/me/subscriptions/muted_topics'],
  ['PATCH', '/users/me/subscriptions/1'],
  ['GET', '/streams'],
  ['DELETE', '/streams/1'],
  ['GET', '/streams/1/email_address'],
  ['GET', '/users/me/1/topics'],
  ['GET', '/users/1'],
  ['POST', '/users'],
  ['DELETE', '/users/me'],
  ['POST', '/users/me/api_key/regenerate'],
];

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

describe('Every endpoint', () => {
  it.each(ENDPOINTS)('%s %s asks for credentials [EP0-auth]', async (method, path) => {
    const answer = await app.client().call(method, path);
    expectError(answer, 'Not logged in: API authentication or user session required', {
      code: 'UNAUTHORIZED',
      status: 401,
    });
  });

  it.each<[Method, string, string]>([
    ['PUT', '/users/me', 'DELETE, GET, HEAD'],
    ['GET', '/users/me/presence', 'POST'],
    ['DELETE', '/server_settings', 'GET, HEAD'],
  ])('%s %s is refused with the methods of its path alone', async (method, path, allowed) => {
    const { status, headers } = await app.as(app.cast.mia).call(method, path);
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: allowed });
  });

  it('asks for them but for the development key endpoint, which does not [EP0-auth]', async () => {
    const { email } = app.cast.mia;
    const { status } = await app.client().post('/dev_fetch_api_key', { username: email });
    expect(status).toBe(400);
  });

  it.each([...ENDPOINTS, ['POST', '/dev_fetch_api_key'] as const])(
    '%s %s lies under /api/v1 and nowhere else [EP0-path, VER-R1]',
    async (method, path) => {
      const caller = app.as(app.cast.gus);
      const inside = await caller.call(method, path);
      expect(inside.status).not.toBe(404);
      for (const url of [path, `/api${path}`, `/api/v2${path}`]) {
        const { status } = await caller.send({ method, url });
        expect({ url, status }).toEqual({ url, status: 404 });
      }
    },
  );
});

describe('Credentials', () => {
  it.each([
    ['a person [AUTH-1a]', 'mia'],
    ['a bot [AUTH-1b]', 'robo'],
  ] as const)('are the address and the API key of %s', async (_, name) => {
    const member = app.cast[name];
    const apiKey = apiKeyOf(app, member);
    const whoAmI = async (email: string, key: string) => app.client({ email, apiKey: key }).get('/users/me');

    expect(expectSuccess(await whoAmI(member.email, apiKey)).user_id).toBe(member.id);
    const others = apiKeyOf(app, app.cast.max);
    for (const [email, key] of [
      [member.email, others],
      [app.cast.max.email, apiKey],
      ['nobody@example.com', apiKey],
    ] as const) {
      const answer = await whoAmI(email, key);
      expectError(answer, 'Invalid API key', { code: 'UNAUTHORIZED', status: 401 });
    }
  });

  it('are the placeholder address where the real one is hidden [AUTH-1a]', async () => {
    const { mia, max } = app.cast;
    await app.as(mia).patch('/settings', { email_address_visibility: 5 });
    const { email } = expectSuccess(await app.as(max).get(`/users/${mia.id}`)).user;
    expect(email).not.toBe(mia.email);
    const self = await app.client({ email, apiKey: apiKeyOf(app, mia) }).get('/users/me');
    expect(expectSuccess(self).user_id).toBe(mia.id);
  });
});

describe('A success', () => {
  it('names the parameters that were ignored, whatever the verb [VER-167]', async () => {
    const mia = app.as(app.cast.mia);
    const subscriptions = [{ name: 'attic' }];
    const asked = { subscriptions, colour: 'blue', shade: 1 };
    expectSuccess(await mia.post('/users/me/subscriptions', asked), { ignored: ['colour', 'shade'] });
    expectSuccess(await mia.get('/streams', { colour: 'blue' }), { ignored: ['colour'] });
    const left = { subscriptions: ['attic'], colour: 'blue' };
    expectSuccess(await mia.delete('/users/me/subscriptions', left), { ignored: ['colour'] });
    expectSuccess(await mia.get('/streams'));
  });
});

describe('A refusal', () => {
  it('has status 400, whatever its code [ERR-status]', async () => {
    const unknown = { subscriptions: ['no such channel'] };
    const refused = [
      await app.as(app.cast.olivia).delete('/streams/999999'),
      await app.as(app.cast.olivia).delete('/users/me/subscriptions', unknown),
      await app.as(app.cast.olivia).delete('/users/me'),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'BAD_REQUEST'],
      [400, 'STREAM_DOES_NOT_EXIST'],
      [400, 'CANNOT_DEACTIVATE_LAST_USER'],
    ]);
  });
});
