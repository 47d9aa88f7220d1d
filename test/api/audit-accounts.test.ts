import { AuditReader } from '../support/audit-setup';
import { browserOf } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const NEW_PASSWORD = 'seven quiet herons in the reeds';

describe('The audit log of accounts', () => {
  let app: TestApp;
  let log: AuditReader;

  beforeAll(async () => {
    app = await TestApp.start({ env: { SERVER_MODE: 'development' } });
    log = await AuditReader.of(app);
  });

  afterAll(() => app.stop());

  const owner = () => app.as(app.cast.olivia);
  const actions = async () => (await log.news()).map(({ action }) => action);
  const logIn = (email: string, password: string) =>
    app.client().post('/fetch_api_key', { username: email, password });

  it('has who was made, deactivated and brought back, and by whom', async () => {
    const { olivia } = app.cast;
    const person = { email: 'new@example.com', password: PASSWORD, full_name: 'New Here' };
    const { user_id: id } = expectSuccess(await owner().post('/users', person));
    const by = { actor_id: olivia.id, target_user_id: id };
    expect(await log.only()).toMatchObject({ ...by, action: 'user.created', details: { role: 400 } });
    expectSuccess(await owner().delete(`/users/${id}`));
    expect(await log.only()).toMatchObject({ ...by, action: 'user.deactivated' });
    expectSuccess(await owner().post(`/users/${id}/reactivate`));
    expect(await log.only()).toMatchObject({ ...by, action: 'user.reactivated' });
    expectSuccess(await owner().post(`/users/${id}/reactivate`));
    expect(await log.news()).toEqual([]);
    expectSuccess(await app.as({ id }).delete('/users/me'));
    expect(await log.only()).toMatchObject({ actor_id: id, action: 'user.deactivated' });
  });

  it('has what others change about a person, without what it says of them', async () => {
    const { mia } = app.cast;
    const field = expectSuccess(
      await owner().post('/realm/profile_fields', { name: 'Phone', field_type: 1 }),
    );
    expect(await log.only()).toMatchObject({ action: 'profile_field.created', target_id: field.id });
    const change = {
      full_name: 'Mia Secret',
      new_email: 'mia.secret@example.com',
      can_create_users: true,
      profile_data: [{ id: field.id, value: 'secret' }],
    };
    expectSuccess(await owner().patch(`/users/${mia.id}`, change));
    const news = await log.news();
    expect(news.map(({ action }) => action).sort()).toEqual([
      'user.can_create_users_changed',
      'user.email_changed',
      'user.profile_changed',
      'user.renamed',
    ]);
    expect(news.every((entry) => entry.target_user_id === mia.id)).toBe(true);
    expect(JSON.stringify(news.map(({ details }) => details))).not.toMatch(/secret/i);
    expectSuccess(await owner().post(`/users/${mia.id}/status`, { status_text: 'busy' }));
    expect(await actions()).toEqual(['user.status_changed']);
    const companion = await app.companionAs(app.cast.olivia);
    await log.news();
    await companion.patch(`/auth/users/${mia.id}`, { full_name: 'Mia', password: NEW_PASSWORD });
    expect(await actions()).toEqual(['user.renamed', 'user.password_changed']);
  });

  it('has what people change about themselves where it is about signing in, and nothing else of it', async () => {
    const { max } = app.cast;
    const client = app.as(max);
    expectSuccess(await client.patch('/settings', { timezone: 'Europe/Berlin' }));
    expectSuccess(await client.post('/users/me/status', { status_text: 'here' }));
    expect(await log.news()).toEqual([]);
    const change = { old_password: PASSWORD, new_password: NEW_PASSWORD, email: 'max2@example.com' };
    expectSuccess(await client.patch('/settings', change));
    // The address is part of the credentials.
    expectSuccess(await app.as(max).post('/users/me/api_key/regenerate'));
    const news = await log.news();
    expect(news.map(({ action }) => action)).toEqual([
      'user.password_changed',
      'user.email_changed',
      'user.key_renewed',
    ]);
    expect(news.every((entry) => entry.actor_id === max.id && entry.target_user_id === max.id)).toBe(true);
  });

  it('has new names that people give themselves, on every way, without saying them', async () => {
    const { max } = app.cast;
    const entry = { action: 'user.renamed', actor_id: max.id, target_user_id: max.id, details: {} };
    expectSuccess(await app.as(max).patch('/settings', { full_name: 'Max Himself' }));
    expect(await log.only()).toMatchObject(entry);
    expectSuccess(await app.as(max).patch('/settings', { full_name: 'Max Himself' }));
    expect(await log.news()).toEqual([]);
    expectSuccess(await app.as(max).patch(`/users/${max.id}`, { full_name: 'Max Again' }));
    expect(await log.only()).toMatchObject(entry);
    const { olivia } = app.cast;
    const companion = await app.companionAs(olivia);
    await log.news();
    await companion.patch(`/auth/users/${olivia.id}`, { full_name: 'Olivia Again' });
    expect(await log.only()).toMatchObject({ action: 'user.renamed', actor_id: olivia.id, way: 'companion' });
  });

  it('has that people were shown their own key', async () => {
    const { mona } = app.cast;
    const browser = await browserOf(app, mona);
    await log.news();
    expectSuccess(await browser.call('POST', '/json/fetch_api_key', { password: PASSWORD }));
    expect(await log.only()).toMatchObject({
      action: 'user.key_read',
      actor_id: mona.id,
      target_user_id: mona.id,
    });
    expectSuccess(await logIn(mona.email, PASSWORD));
    expect(await log.only()).toMatchObject({ action: 'user.signed_in', details: { gave_key: true } });
  });

  it('has what becomes of bots', async () => {
    const { mona, adam } = app.cast;
    const bot = {
      full_name: 'Helper',
      short_name: 'helper',
      bot_type: 3,
      payload_url: '"https://x.example.com/secret"',
    };
    const { user_id: id } = expectSuccess(await app.as(mona).post('/bots', bot));
    expect(await log.only()).toMatchObject({
      action: 'user.created',
      actor_id: mona.id,
      target_user_id: id,
      details: { bot_type: 3, owner: mona.id },
    });
    expectSuccess(await owner().get(`/bots/${id}/api_key`));
    expectSuccess(await owner().post(`/bots/${id}/api_key/regenerate`));
    expect(await actions()).toEqual(['user.key_read', 'user.key_renewed']);
    const change = {
      bot_owner_id: adam.id,
      service_payload_url: '"https://y.example.com/secret"',
      default_all_public_streams: true,
    };
    expectSuccess(await owner().patch(`/bots/${id}`, change));
    const news = await log.news();
    expect(news.map(({ action, details }) => [action, details])).toEqual([
      ['user.bot_changed', { payload_url: true, config: false }],
      ['user.owner_changed', { from: mona.id, to: adam.id }],
      ['user.bot_changed', { all_public_channels: { from: false, to: true } }],
    ]);
    expectSuccess(await owner().delete(`/bots/${id}`));
    expect(await actions()).toEqual(['user.deactivated']);
  });

  it('has signing in, and too many wrong passwords', async () => {
    const { gus } = app.cast;
    expectSuccess(await logIn(gus.email, PASSWORD));
    expectSuccess(await app.client().post('/dev_fetch_api_key', { username: gus.email }));
    const [first, second] = await log.news();
    for (const entry of [first, second]) {
      expect(entry).toMatchObject({
        action: 'user.signed_in',
        way: 'main',
        actor_id: gus.id,
        address: '127.0.0.1',
      });
    }
    for (let i = 0; i < 5; i += 1) expect((await logIn(gus.email, 'guess')).status).toBe(401);
    const news = await log.news();
    expect(news.find(({ action }) => action === 'user.locked_out')).toMatchObject({
      action: 'user.locked_out',
      actor_id: null,
      target_user_id: gus.id,
    });
    for (let i = 0; i < 5; i += 1) expect((await logIn(gus.email, 'guess')).status).toBe(429);
    for (let i = 0; i < 6; i += 1) await logIn('nobody@example.com', 'guess');
    expect(await actions()).not.toContain('user.locked_out');
  });

  it('has sessions that are ended before their time', async () => {
    const { adam } = app.cast;
    const [one] = [await app.companionAs(adam), await app.companionAs(adam), await app.companionAs(adam)];
    const administrator = await app.companionAs(app.cast.olivia);
    await log.news();
    expect((await one.delete('/auth/sessions')).body).toEqual({ ended: 2 });
    expect(await log.only()).toMatchObject({
      action: 'user.sessions_ended',
      actor_id: adam.id,
      target_user_id: adam.id,
      details: { ended: 2 },
    });
    expect((await administrator.delete(`/auth/users/${adam.id}/sessions`)).body).toEqual({ ended: 1 });
    expect(await log.only()).toMatchObject({ actor_id: app.cast.olivia.id, target_user_id: adam.id });
    expect((await administrator.delete(`/auth/users/${adam.id}/sessions`)).body).toEqual({ ended: 0 });
    expect(await log.news()).toEqual([]);
  });
});
