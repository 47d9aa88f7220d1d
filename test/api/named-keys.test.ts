import { type Route, routesOf } from '../../scripts/routes-table';
import { KEY_SCOPES, type KeyScope, Role } from '../../src/platform/actor';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { neededScope } from '../../src/platform/http/access.guard';
import { Passwords } from '../../src/platform/secrets/passwords';
import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { KeyUse } from '../../src/features/users/keys/key-use.service';
import type { Answer, ApiClient, Method } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import { AuditReader } from '../support/audit-setup';
import { browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { addAccount, type Member, PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect } from '../support/message-setup';
import { addBot } from '../support/permissions/actors';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const ALL = KEY_SCOPES.join(' ');
const OWN_KEY = "This API key may not do this. Use the account's own key.";

const clock = new StoppedTimeOfDay();
let app: TestApp;
let audit: AuditReader;

beforeAll(async () => {
  app = await TestApp.start({ clock, env: { RATE_LIMIT_MAX_REQUESTS: '0' } });
  audit = await AuditReader.of(app);
});

afterAll(() => app.stop());

interface Made {
  readonly id: number;
  readonly client: ApiClient;
  readonly apiKey: string;
}

/** Makes a key as its owner does. */
async function make(who: Member, scopes: string, more: object = {}): Promise<Made> {
  const companion = await app.companionAs(who);
  const body = { name: 'a program', scopes, password: PASSWORD, ...more };
  const answer = await companion.post('/auth/keys', body);
  expect(answer).toMatchObject({ status: 201 });
  const { id, api_key: apiKey } = answer.body;
  expect(apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
  return { id, apiKey, client: app.client({ email: who.email, apiKey }) };
}

let counter = 0;
const newcomer = (role: Role = Role.member) =>
  addAccount(app.nest, { deliveryEmail: `keys${++counter}@example.com`, fullName: `Keys ${counter}`, role });

function expectOutOfScope(answer: Answer, needed: KeyScope | null): void {
  expect(answer).toMatchObject({
    status: 403,
    body: {
      result: 'error',
      code: 'INSUFFICIENT_SCOPE',
      msg: needed === null ? OWN_KEY : `This API key may not do this. It needs: ${needed}.`,
      required_scope: needed,
    },
  });
}

const INVALID = { status: 401, body: { result: 'error', code: 'UNAUTHORIZED', msg: 'Invalid API key' } };

describe('Every route', () => {
  /** Those that take API keys at all. */
  let routes: Route[];

  beforeAll(() => {
    routes = routesOf(app.nest).filter(({ policy }) => policy.scheme === 'basic' && !policy.public);
  });

  const call = (client: ApiClient, { verb, path }: Route) =>
    client.send({ method: verb as Method, url: path.replace(/\{\w+\}/g, '999999') });

  it('says what named keys need, or that none will do', () => {
    const taking = routesOf(app.nest).filter(({ policy }) => !policy.public && policy.scheme !== 'session');
    const silent = taking.filter(({ policy }) => policy.scheme !== 'bearer' && policy.keyScope === null);
    expect(silent.map(({ verb, path }) => `${verb} ${path}`)).toEqual([]);
    expect(routes.length).toBeGreaterThan(150);
  });

  it.each(KEY_SCOPES)('is closed to a key of the owner for “%s” unless that is its scope', async (scope) => {
    const { client } = await make(app.cast.olivia, scope);
    let refused = 0;
    for (const route of routes) {
      const needed = neededScope(route.policy.keyScope, route.verb);
      if (needed === scope) continue;
      const { status, body } = await call(client, route);
      expect({ route: `${route.verb} ${route.path}`, status, required: body.required_scope }).toEqual({
        route: `${route.verb} ${route.path}`,
        status: 403,
        required: needed,
      });
      refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('that only reads lets in a key that may read', async () => {
    const { client } = await make(app.cast.olivia, 'read');
    const open = routes.filter(({ policy, verb }) => neededScope(policy.keyScope, verb) === 'read');
    for (const route of open) expect((await call(client, route)).body.code).not.toBe('INSUFFICIENT_SCOPE');
    expect(open.length).toBeGreaterThan(40);
  });
});

describe('A named key', () => {
  it('is made with the password, shown once, and stands in for the key of the account', async () => {
    const { mia } = app.cast;
    const companion = await app.companionAs(mia);
    await audit.news();
    const body = { name: ' deploys ', scopes: 'send read', expires_in_days: 7 };
    expect((await companion.post('/auth/keys', body)).status).toBe(400);
    expect((await companion.post('/auth/keys', { ...body, password: 'guess' })).status).toBe(400);
    const { status, body: made } = await companion.post('/auth/keys', { ...body, password: PASSWORD });
    expect(status).toBe(201);
    const { api_key: apiKey, ...record } = made;
    const now = clock.nowSeconds();
    expect(record).toEqual({
      id: expect.any(Number),
      user_id: mia.id,
      name: 'deploys',
      scopes: 'read send',
      channel_ids: null,
      created_at: now,
      expires_at: now + 7 * 86_400,
      last_used_at: null,
      last_address: null,
    });
    const client = app.client({ email: mia.email, apiKey });
    expect(expectSuccess(await client.get('/users/me')).user_id).toBe(mia.id);
    await app.get(KeyUse).settled();
    const list = (await companion.get('/auth/keys')).body;
    expect(list.items).toContainEqual({ ...record, last_used_at: now, last_address: '127.0.0.1' });
    expect(JSON.stringify(list)).not.toContain(apiKey);
    const entry = (await audit.news()).find(({ action }) => action === 'key.made');
    expect(entry).toMatchObject({
      actor_id: mia.id,
      target_id: record.id,
      details: { scopes: 'read send', expires_at: now + 7 * 86_400 },
    });
    expect(app.credentialsOf(mia).apiKey).not.toBe(apiKey);
  });

  it.each([
    [{ name: '', scopes: 'read' }],
    [{ name: 'x'.repeat(61), scopes: 'read' }],
    [{ name: 'x\n\nYour account was blocked', scopes: 'read' }],
    [{ name: 'x\u202ey', scopes: 'read' }],
    [{ name: 'x', scopes: '' }],
    [{ name: 'x', scopes: 'read everything' }],
    [{ name: 'x', scopes: 'read', expires_in_days: -1 }],
    [{ name: 'x', scopes: 'read', expires_in_days: 4000 }],
    [{ name: 'x', scopes: ['read'] }],
  ])('is not made of %j', async (body) => {
    const companion = await app.companionAs(app.cast.mia);
    expect((await companion.post('/auth/keys', { ...body, password: PASSWORD })).status).toBe(422);
  });

  it('is one of fifty', async () => {
    const { max } = app.cast;
    const companion = await app.companionAs(max);
    const body = { name: 'many', scopes: 'read', password: PASSWORD };
    for (let at = 0; at < 50; at++) expect((await companion.post('/auth/keys', body)).status).toBe(201);
    expect((await companion.post('/auth/keys', body)).status).toBe(409);
    expect((await companion.get('/auth/keys')).body.total).toBe(50);
    expect((await companion.delete('/auth/keys')).body).toEqual({ revoked: 50 });
    expect((await companion.post('/auth/keys', body)).status).toBe(201);
  });

  it('is made in a browser with the password, or right after the sign-in of people without one', async () => {
    const { mona } = app.cast;
    const browser = await browserOf(app, mona);
    const token = await browser.csrfToken();
    const make = (body: object) =>
      browser.send({
        method: 'POST',
        url: '/json/companion/auth/keys',
        headers: { ...FROM_OWN_PAGE, 'content-type': 'application/json', 'x-csrftoken': token },
        form: JSON.stringify({ name: 'deploys', scopes: 'read', ...body }),
      });
    expect((await make({})).status).toBe(400);
    expect((await make({ password: PASSWORD })).status).toBe(201);
    await changeAccount(app, mona, { passwordHash: null });
    expect((await make({})).status).toBe(201);
    await app.get(TransactionService).run((tx) => tx.query('UPDATE login_session SET authenticated_at = 0'));
    const refused = await make({});
    expect([refused.status, refused.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    await changeAccount(app, mona, { passwordHash: await app.get(Passwords).hash(PASSWORD) });
  });

  it('is no credential of the companion interface, nor of another account', async () => {
    const { olivia, mia } = app.cast;
    const { apiKey } = await make(olivia, ALL);
    expect((await app.companion().withToken(apiKey).get('/auth/keys')).status).toBe(401);
    const basic = `Basic ${Buffer.from(`${olivia.email}:${apiKey}`).toString('base64')}`;
    const asBasic = await app.companion().get('/auth/keys', { authorization: basic });
    expect(asBasic.status).toBe(401);
    expect(await app.client({ email: mia.email, apiKey }).get('/users/me')).toMatchObject(INVALID);
    expect(await app.client({ email: 'nobody@example.com', apiKey }).get('/users/me')).toMatchObject(INVALID);
  });

  it('does what its scopes allow, within the rights of the account as of now', async () => {
    const someone = await newcomer();
    const { client } = await make(app.cast.adam, 'manage_people');
    const rename = (full_name: string) => client.patch(`/users/${someone.id}`, { full_name });
    expectSuccess(await rename('Renamed by key'));
    const entry = (await audit.news()).at(-1);
    expect(entry).toMatchObject({ action: 'user.renamed', details: { by_key: expect.any(Number) } });
    await changeAccount(app, app.cast.adam, { role: Role.member });
    expect(await rename('Renamed again')).toMatchObject({ status: 400 });
    await changeAccount(app, app.cast.adam, { role: Role.administrator });
  });
});

describe('With all scopes, a key of the owner still', () => {
  let key: Made;

  beforeAll(async () => {
    key = await make(app.cast.olivia, ALL);
  });

  it.each([
    ['POST', '/users/me/api_key/regenerate'],
    ['DELETE', '/users/me'],
    ['POST', '/realm/deactivate'],
    ['GET', '/bots'],
    ['POST', '/bots'],
    ['POST', '/register_client_device'],
  ] as const)('may not %s %s', async (method, path) => {
    expectOutOfScope(await key.client.call(method, path), null);
  });

  it('may not see, change or get hold of bots by their keys', async () => {
    const { robo } = app.cast;
    for (const answer of [
      await key.client.get(`/bots/${robo.id}/api_key`),
      await key.client.post(`/bots/${robo.id}/api_key/regenerate`),
      await key.client.patch(`/bots/${robo.id}`, { full_name: 'Mine' }),
    ]) {
      expectOutOfScope(answer, null);
    }
  });

  it('may change neither address nor password', async () => {
    const email = { email: 'thief@example.com' };
    expectOutOfScope(await key.client.patch('/settings', email), null);
    const password = { old_password: PASSWORD, new_password: 'a stolen lantern at dusk' };
    expectOutOfScope(await key.client.patch('/settings', password), null);
    expectSuccess(await key.client.patch('/settings', { timezone: 'Europe/Berlin' }));
  });

  it('may give nobody a role, an address or the right to create accounts', async () => {
    const someone = await newcomer();
    for (const change of [
      { role: Role.owner },
      { new_email: 'thief@example.com' },
      { can_create_users: true },
      { full_name: 'With a role', role: Role.administrator },
    ]) {
      expectOutOfScope(await key.client.patch(`/users/${someone.id}`, change), null);
    }
    const byAddress = await key.client.patch(`/users/${someone.email}`, { role: Role.owner });
    expectOutOfScope(byAddress, null);
    const { user } = expectSuccess(await app.as(app.cast.olivia).get(`/users/${someone.id}`));
    expect(user).toMatchObject({ full_name: someone.fullName, role: Role.member });
  });

  it('may invite nobody above members, nor see links of such invitations', async () => {
    for (const invite_as of [Role.owner, Role.administrator, Role.moderator]) {
      const link = await key.client.post('/invites/multiuse', { invite_as });
      expectOutOfScope(link, null);
      const invitee = { invitee_emails: `guest${invite_as}@example.com`, stream_ids: [], invite_as };
      expectOutOfScope(await key.client.post('/invites', invitee), null);
    }
    expectSuccess(await key.client.post('/invites/multiuse', { invite_as: Role.member }));
    const own = app.as(app.cast.olivia);
    expectSuccess(await own.post('/invites/multiuse', { invite_as: Role.administrator }));
    const links = async (client: ApiClient) =>
      expectSuccess(await client.get('/invites')).invites.map(
        ({ invited_as, link_url }: { invited_as: number; link_url?: string }) => [
          invited_as,
          link_url !== undefined,
        ],
      );
    expect(await links(own)).toContainEqual([Role.administrator, true]);
    const seen = await links(key.client);
    expect(seen).toContainEqual([Role.administrator, false]);
    expect(seen).toContainEqual([Role.member, true]);
  });

  it('is told nothing of bots, whose webhooks have tokens', async () => {
    const state = expectSuccess(await key.client.post('/register'));
    expect(state).not.toHaveProperty('realm_bots');
    expect(expectSuccess(await app.as(app.cast.olivia).post('/register'))).toHaveProperty('realm_bots');
    await addBot(app, app.cast.olivia, 3);
    const place = { queue_id: state.queue_id, last_event_id: -1, dont_block: true };
    const { events } = expectSuccess(await key.client.get('/events', place));
    const types = events.map(({ type }: { type: string }) => type);
    expect(types).toContain('realm_user');
    expect(types).not.toContain('realm_bot');
  });

  it('reads only the queues that it registered', async () => {
    const queue = await app.queue(app.cast.olivia, {});
    const place = { queue_id: queue.id, last_event_id: -1, dont_block: true };
    const refusal = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } };
    expect(await key.client.get('/events', place)).toMatchObject(refusal);
    expect(await key.client.delete('/events', { queue_id: queue.id })).toMatchObject(refusal);
    const { client: other } = await make(app.cast.olivia, 'read');
    const { queue_id: ofKey } = expectSuccess(await key.client.post('/register', { event_types: [] }));
    expect(await other.get('/events', { ...place, queue_id: ofKey })).toMatchObject(refusal);
  });
});

describe('A named key ends', () => {
  /** A poll that waits. */
  async function pollWith(client: ApiClient): Promise<{ answer: Promise<Answer> }> {
    const types = { event_types: ['message'], fetch_event_types: [] };
    const { queue_id: queueId } = expectSuccess(await client.post('/register', types));
    const answer = client.get('/events', { queue_id: queueId, last_event_id: -1 });
    while (!app.get(LiveQueues).byId(queueId)?.parked) await new Promise((resolve) => setImmediate(resolve));
    return { answer };
  }

  it('when it is revoked, at once, and attempts with it are recorded', async () => {
    const { mia } = app.cast;
    const { id, client } = await make(mia, 'read');
    const companion = await app.companionAs(mia);
    expectSuccess(await client.get('/users/me'));
    await audit.news();
    expect((await companion.delete(`/auth/keys/${id}`)).status).toBe(204);
    expect((await companion.delete(`/auth/keys/${id}`)).status).toBe(404);
    expect(await audit.news()).toMatchObject([{ action: 'key.revoked', target_id: id, actor_id: mia.id }]);
    expect(await client.get('/users/me')).toMatchObject(INVALID);
    expect(await client.post('/messages')).toMatchObject(INVALID);
    await app.get(KeyUse).settled();
    expect(await audit.only()).toMatchObject({
      action: 'key.refused',
      target_id: id,
      target_user_id: mia.id,
      actor_id: null,
      details: { reason: 'revoked' },
    });
    const ids = (await companion.get('/auth/keys')).body.items.map((key: { id: number }) => key.id);
    expect(ids).not.toContain(id);
  });

  it('by itself after its days', async () => {
    const { client } = await make(app.cast.mia, 'read', { expires_in_days: 1 });
    const lasting = await make(app.cast.mia, 'read', { expires_in_days: 0 });
    expectSuccess(await client.get('/users/me'));
    const waiting = await pollWith(client);
    clock.aheadMs += 86_400_000;
    expect(await waiting.answer).toMatchObject(INVALID);
    expect(await client.get('/users/me')).toMatchObject(INVALID);
    expectSuccess(await lasting.client.get('/users/me'));
    await audit.signIn();
  });

  it('for a poll that waits, too', async () => {
    const { max, mia } = app.cast;
    const { id, client } = await make(max, 'read');
    const { answer } = await pollWith(client);
    expect((await (await app.companionAs(max)).delete(`/auth/keys/${id}`)).status).toBe(204);
    await sendDirect(app, mia, [max], 'not for the key');
    expect(await answer).toMatchObject(INVALID);
  });

  it('with the deactivation of its account, for good', async () => {
    const { olivia } = app.cast;
    const { gus } = app.cast;
    const { client } = await make(gus, 'read');
    expectSuccess(await app.as(olivia).delete(`/users/${gus.id}`));
    expect(await client.get('/users/me')).toMatchObject(INVALID);
    expectSuccess(await app.as(olivia).post(`/users/${gus.id}/reactivate`));
    expect(await client.get('/users/me')).toMatchObject(INVALID);
  });

  it('neither with a new password nor with a new key of the account', async () => {
    const { mona } = app.cast;
    const { client } = await make(mona, 'read');
    const companion = await app.companionAs(mona);
    const change = { current_password: PASSWORD, new_password: 'another lantern at dusk' };
    expect((await companion.patch('/auth/me/password', change)).status).toBe(200);
    expectSuccess(await app.as(mona).post('/users/me/api_key/regenerate'));
    expectSuccess(await client.get('/users/me'));
  });
});

describe('Administrators', () => {
  it('see and revoke the keys of others, of owners as owners', async () => {
    const { adam, olivia, mia } = app.cast;
    const administrator = await app.companionAs(adam);
    const owner = await app.companionAs(olivia);
    const { id, client } = await make(mia, 'read');
    const { items } = (await administrator.get(`/auth/users/${mia.id}/keys`)).body;
    expect(items.map((key: { id: number }) => key.id)).toContain(id);
    expect((await administrator.delete(`/auth/users/${olivia.id}/keys/${id}`)).status).toBe(403);
    expect((await administrator.get(`/auth/users/${olivia.id}/keys`)).status).toBe(403);
    expect((await owner.delete(`/auth/users/${adam.id}/keys/${id}`)).status).toBe(404);
    expect((await administrator.delete(`/auth/users/${mia.id}/keys/${id}`)).status).toBe(204);
    expect(await client.get('/users/me')).toMatchObject(INVALID);
    const { client: another } = await make(mia, 'read');
    const { status, body } = await owner.delete(`/auth/users/${mia.id}/keys`);
    expect({ status, some: body.revoked > 0 }).toEqual({ status: 200, some: true });
    expect(await another.get('/users/me')).toMatchObject(INVALID);
    const member = await app.companionAs(mia);
    expect((await member.get(`/auth/users/${adam.id}/keys`)).status).toBe(403);
  });
});

describe('Bots', () => {
  const post = (key: string) =>
    app.client().send({
      method: 'POST',
      url: `/api/v1/external/json?api_key=${key}`,
      headers: { 'content-type': 'application/json' },
      payload: '{"a": 1}',
    });

  it('have named keys as well, which their owner makes and revokes', async () => {
    const { mia, max } = app.cast;
    const bot = await addBot(app, mia, 2);
    const { id, apiKey } = await make(mia, 'send', { bot_id: bot.id });
    expectSuccess(await post(apiKey));
    const reading = await make(mia, 'read', { bot_id: bot.id });
    expectOutOfScope(await post(reading.apiKey), 'send');
    const stranger = await app.companionAs(max);
    const body = { name: 'mine', scopes: 'read', password: PASSWORD, bot_id: bot.id };
    expect((await stranger.post('/auth/keys', body)).status).toBe(403);
    expect((await stranger.post('/auth/keys', { ...body, bot_id: 999_999 })).status).toBe(404);
    expect((await stranger.delete(`/auth/keys/${id}`)).status).toBe(404);
    const owner = await app.companionAs(mia);
    expect((await owner.delete(`/auth/keys/${id}`)).status).toBe(204);
    expect(await post(apiKey)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expectSuccess(await app.as(mia).delete(`/bots/${bot.id}`));
    const late = { name: 'late', scopes: 'send', password: PASSWORD, bot_id: bot.id };
    expect((await owner.post('/auth/keys', late)).status).toBe(400);
  });

  it('are not found by the keys of people', async () => {
    const { apiKey } = await make(app.cast.mia, 'send');
    expect(await post(apiKey)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });
});
