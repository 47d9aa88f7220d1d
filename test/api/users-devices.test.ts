import { createHash } from 'node:crypto';
import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { apiKeyOf } from '../support/account-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const count = async (table: string, member: Member) =>
  (
    await app
      .get(Database)
      .read.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE user_id = ?`, [member.id])
  )[0]?.n;

const pushKey = (fill: number) =>
  Buffer.concat([Buffer.from('1'), Buffer.alloc(32, fill)]).toString('base64');
const keyFields = (id = 1, fill = 1) => ({ push_key_id: id, push_key: pushKey(fill) });
const tokenFields = (fill = 1) => ({
  token_kind: 'fcm',
  token_id: Buffer.alloc(8, fill).toString('base64'),
  bouncer_public_key: 'a2V5',
  encrypted_push_registration: 'c2VhbGVk',
});

async function addDevice(member: Member): Promise<number> {
  return expectSuccess(await app.as(member).post('/register_client_device')).device_id;
}

describe('Tokens for plain notifications', () => {
  it.each([
    ['apns_device_token', { token: 'aB12', appid: 'org.example.App' }],
    ['apns_device_token', { token: 'c0ffee', appid: 'org.example.App' }],
    ['android_gcm_reg_id', { token: 'any token' }],
  ])('of %s are added, renewed and removed', async (path, parameters) => {
    const { mia, max } = app.cast;
    const url = `/users/me/${path}`;
    expectSuccess(await app.as(mia).post(url, parameters));
    expectSuccess(await app.as(mia).post(url, parameters));
    expectSuccess(await app.as(max).post(url, parameters));
    await expect(count('push_registration', mia)).resolves.toBe(1);
    expectSuccess(await app.as(mia).delete(url, { token: parameters.token }));
    expectError(await app.as(mia).delete(url, { token: parameters.token }), 'Token does not exist');
    await expect(count('push_registration', mia)).resolves.toBe(0);
  });

  it.each([
    ['apns_device_token', { token: '', appid: 'a' }, 'Empty or invalid length token'],
    ['apns_device_token', { token: 'xyz', appid: 'a' }, 'Invalid APNS token'],
    ['apns_device_token', { token: 'abcde', appid: 'a' }, 'Invalid APNS token'],
    ['apns_device_token', { token: 'YXBwbGU=', appid: 'a' }, 'Invalid APNS token'],
    ['apns_device_token', { token: 'ab', appid: 'a b' }, 'appid has invalid format'],
    ['android_gcm_reg_id', { token: 'x'.repeat(4097) }, 'Empty or invalid length token'],
  ])('of %s have to be right: %#', async (path, parameters, message) => {
    expectError(await app.as(app.cast.mia).post(`/users/me/${path}`, parameters), message);
  });

  it('are none of a bot’s', async () => {
    const answer = await app.as(app.cast.robo).post('/users/me/android_gcm_reg_id', { token: 'x' });
    expectError(answer, 'This endpoint does not accept bot requests.');
  });
});

describe('Devices for end-to-end-encrypted notifications', () => {
  it('are added, registered and removed, which their owner’s other devices learn', async () => {
    const { max } = app.cast;
    let device_id = 0;
    const events = await app.captureEvents(async () => {
      device_id = await addDevice(max);
      const fields = { device_id, ...keyFields(), ...tokenFields() };
      expectSuccess(await app.as(max).post('/mobile_push/register', fields));
      expectSuccess(await app.as(max).post('/mobile_push/register', fields));
      expectSuccess(await app.as(max).post('/mobile_push/register', { device_id, ...keyFields(2, 2) }));
      expectSuccess(await app.as(max).post('/mobile_push/register', { device_id, ...tokenFields(3) }));
      expectSuccess(await app.as(max).post('/remove_client_device', { device_id }));
    });
    const token = (fill: number) => ({
      push_token_id: Buffer.alloc(8, fill).toString('base64'),
      pending_push_token_id: null,
      push_token_last_updated_timestamp: expect.any(Number),
      push_registration_error_code: null,
    });
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'device', op: 'add', device_id },
      { type: 'device', op: 'update', device_id, push_key_id: 1, ...token(1) },
      { type: 'device', op: 'update', device_id, push_key_id: 2 },
      { type: 'device', op: 'update', device_id, ...token(3) },
      { type: 'device', op: 'remove', device_id },
    ]);
    for (const { audience } of events) expect(audience).toEqual([max.id]);
    await expect(count('client_device', max)).resolves.toBe(0);
  });

  it('have to be registered with everything at first', async () => {
    const { max } = app.cast;
    const device_id = await addDevice(max);
    const register = (fields: object) => app.as(max).post('/mobile_push/register', { device_id, ...fields });
    const { token_id: _, ...incomplete } = tokenFields();
    const missing = 'Missing parameters: must provide either all push key fields, all token fields, or both.';
    expectError(await register({}), missing);
    expectError(await register(incomplete), missing);
    expectError(await register(keyFields()), 'No push registration exists to rotate key for.');
    expectError(await register(tokenFields()), 'No push registration exists to rotate token for.');
    const wrongKey = { push_key_id: 1, push_key: Buffer.alloc(33).toString('base64') };
    expectError(await register({ ...wrongKey, ...tokenFields() }), 'Invalid `push_key`');
    expectError(await register({ ...keyFields(), ...tokenFields(), token_id: 'AAA=' }), 'Invalid `token_id`');
    expectError(await register({ ...keyFields(), ...tokenFields(), token_kind: 'x' }), 'Invalid token_kind');
    expectError(await register({ ...keyFields(2 ** 32), ...tokenFields() }), 'push_key_id is too large');
  });

  it('take the place of a plain registration of the same token, of the same person', async () => {
    const { max, mia } = app.cast;
    const token = 'sealed from now on';
    const id = createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
    const addPlain = async (member: Member, name: string) =>
      expectSuccess(await app.as(member).post('/users/me/android_gcm_reg_id', { token: name }));
    const removePlain = (member: Member, name: string) =>
      app.as(member).delete('/users/me/android_gcm_reg_id', { token: name });
    for (const name of [token, 'of another device']) await addPlain(max, name);
    await addPlain(mia, token);
    const before = (await count('push_registration', max)) as number;
    const device_id = await addDevice(max);
    const fields = { device_id, ...keyFields(), ...tokenFields(), token_id: id };
    const register = async (changed: object = {}) =>
      expectSuccess(await app.as(max).post('/mobile_push/register', { ...fields, ...changed }));
    await register({ token_kind: 'apns' });
    await expect(count('push_registration', max)).resolves.toBe(before);
    await register();
    await expect(count('push_registration', max)).resolves.toBe(before - 1);
    // An app that went back to the older way meanwhile registers anew what the server has already.
    await addPlain(max, token);
    await register();
    expectError(await removePlain(max, token), 'Token does not exist');
    expectSuccess(await removePlain(max, 'of another device'));
    expectSuccess(await removePlain(mia, token));
  });

  it.each([0, -1, 999_999, 2 ** 40])('need an ID that there is: not %i', async (device_id) => {
    const { max } = app.cast;
    expectError(await app.as(max).post('/remove_client_device', { device_id }), 'Invalid `device_id`');
  });

  it('are out of others’ reach', async () => {
    const device_id = await addDevice(app.cast.max);
    const answer = await app.as(app.cast.mia).post('/remove_client_device', { device_id });
    expectError(answer, 'Invalid `device_id`');
  });
});

describe('Regenerating one’s own key', () => {
  it('makes the old key fail at once [EP12-parameters, EP12-api_key, AUTH-3]', async () => {
    const { mona } = app.cast;
    const old = { email: mona.email, apiKey: apiKeyOf(app, mona) };
    const answer = await app.client(old).post('/users/me/api_key/regenerate', { anything: 'x' });
    const { api_key: apiKey } = expectSuccess(answer, { ignored: ['anything'] });
    expect(apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(apiKey).not.toBe(old.apiKey);
    expectError(await app.client(old).get('/users/me'), 'Invalid API key', {
      status: 401,
      code: 'UNAUTHORIZED',
    });
    expectSuccess(await app.client({ email: mona.email, apiKey }).get('/users/me'));
  });

  it('removes all registrations for notifications [EP12-R1, EP12-R2, VER-492]', async () => {
    const { mona, max } = app.cast;
    for (const member of [mona, max]) {
      expectSuccess(await app.as(member).post('/users/me/android_gcm_reg_id', { token: 'again' }));
      const fields = { device_id: await addDevice(member), ...keyFields(), ...tokenFields() };
      expectSuccess(await app.as(member).post('/mobile_push/register', fields));
    }
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mona).post('/users/me/api_key/regenerate'));
    });
    expect(events.map(({ event, audience }) => [event.type, event.op, audience])).toEqual([
      ['device', 'remove', [mona.id]],
    ]);
    await expect(count('push_registration', mona)).resolves.toBe(0);
    await expect(count('client_device', mona)).resolves.toBe(0);
    await expect(count('push_registration', max)).resolves.toBeGreaterThan(0);
    await expect(count('client_device', max)).resolves.toBeGreaterThan(0);
  });

  it('is open to bots [AUTH-3]', async () => {
    expectSuccess(await app.as(app.cast.robo).post('/users/me/api_key/regenerate'));
  });
});
