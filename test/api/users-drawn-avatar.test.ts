import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { toPng } from 'jdenticon';
import sharp from 'sharp';
import { Config } from '../../src/platform/config/config';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  await app.writeRows(async (tx) => {
    await tx.query('UPDATE account SET can_create_users = ? WHERE id = ?', [true, app.cast.adam.id]);
    tx.touch('accounts', [app.cast.adam.id]);
  });
});

afterAll(() => app.stop());

const DRAWN = /^\/user_avatars\/1\/[0-9a-f]{40}\.png$/;
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\/avatar\//;

const load = (url: string) => app.client().send({ method: 'GET', url });
const userOf = async (id: number, client_gravatar = true) =>
  expectSuccess(await app.as(app.cast.max).get(`/users/${id}`, { client_gravatar })).user;
let people = 0;
const create = async (): Promise<number> => {
  const email = `person${++people}@example.com`;
  const person = { email, password: 'eleven brass trumpets', full_name: `Person ${people}` };
  return expectSuccess(await app.as(app.cast.adam).post('/users', person)).user_id;
};
const upload = async (member: Member) => {
  const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  const answer = await app.as(member).upload('/users/me/avatar', { name: 'a.png', content });
  return expectSuccess(answer).avatar_url as string;
};

describe('Pictures of those who uploaded none', () => {
  it('are those of Gravatar at first', async () => {
    const id = await create();
    await expect(userOf(id, false)).resolves.toMatchObject({ avatar_url: expect.stringMatching(GRAVATAR) });
    const { realm_default_avatar_source: source } = await stateOf(app, app.cast.gus, { wanted: ['realm'] });
    expect(source).toBe('G');
  });

  it('are drawn by the server where the organization says so, for accounts that are made from then on', async () => {
    const before = await create();
    const events = await app.captureEvents(() => changeOrganization(app, { default_avatar_source: 'J' }));
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update', property: 'default_avatar_source', value: 'J' },
    ]);
    const added = await app.captureEvents(create);
    const { user_id: id, avatar_url: url } = added.find(({ event }) => event.op === 'add')!.event.person;
    expect(url).toMatch(DRAWN);
    await expect(userOf(id)).resolves.toMatchObject({ avatar_url: url });
    await expect(userOf(before, false)).resolves.toMatchObject({
      avatar_url: expect.stringMatching(GRAVATAR),
    });

    const { realm_uuid: uuid } = await stateOf(app, app.cast.gus, { wanted: ['realm'] });
    for (const [address, side] of [
      [url, 100],
      [url.replace('.png', '-medium.png'), 500],
      [url, 100],
    ]) {
      const file = await load(address);
      expect(file).toMatchObject({
        status: 200,
        headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' },
      });
      expect(file.body.equals(toPng(`${uuid}:${id}`, side))).toBe(true);
    }
    const answer = await app.as(app.cast.gus).send({ method: 'GET', url: `/avatar/${id}/medium` });
    expect(answer.headers.location).toBe(`${url.replace('.png', '-medium.png')}?version=1`);
  });

  it('are drawn again where the file is missing', async () => {
    const { avatar_url: url } = await userOf(await create());
    const { body } = await load(url);
    rmSync(join(app.get(Config).dataDir, 'files/avatars'), { recursive: true });
    expect((await load(url)).body.equals(body)).toBe(true);
  });

  it('are there again when somebody takes their own away', async () => {
    const { mia } = app.cast;
    const uploaded = await upload(mia);
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia).delete('/users/me/avatar'));
    });
    const { person } = events[0]!.event;
    expect(person).toMatchObject({ user_id: mia.id, avatar_source: 'J', avatar_version: 3 });
    expect(person.avatar_url).toMatch(DRAWN);
    const state = await stateOf(app, mia, { wanted: ['realm_user'] });
    expect(state).toMatchObject({ avatar_source: 'J', avatar_url: person.avatar_url });
    await expect(load(uploaded)).resolves.toMatchObject({ status: 404 });
    await expect(load(person.avatar_url)).resolves.toMatchObject({ status: 200 });
    await upload(mia);
    await expect(load(person.avatar_url)).resolves.toMatchObject({ status: 404 });
  });

  it('are those of bots as well, and stand in messages', async () => {
    const { mia } = app.cast;
    const bot = expectSuccess(
      await app.as(mia).post('/bots', { full_name: 'Drawn Bot', short_name: 'drawn' }),
    );
    expect(bot.avatar_url).toMatch(DRAWN);
    const id = await create();
    expectSuccess(await app.as(app.cast.olivia).delete(`/users/${id}`));
    await expect(userOf(id)).resolves.toMatchObject({ avatar_url: expect.stringMatching(DRAWN) });
    const { id: messageId } = expectSuccess(
      await app.as(mia).post('/messages', { type: 'direct', to: [mia.id], content: 'me' }),
    );
    expectSuccess(await app.as(mia).delete('/users/me/avatar'));
    const { message } = expectSuccess(await app.as(mia).get(`/messages/${messageId}`));
    expect(message.avatar_url).toMatch(DRAWN);
  });

  it('are chosen by administrators, among those there are', async () => {
    expectError(
      await app.as(app.cast.mia).patch('/realm', { default_avatar_source: 'G' }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expectError(
      await app.as(app.cast.adam).patch('/realm', { default_avatar_source: '"U"' }),
      'Invalid default_avatar_source',
    );
    const answer = await app.as(app.cast.adam).patch('/realm', { default_avatar_source: 'G' });
    expect(expectSuccess(answer).default_avatar_source).toBe('updated');
    await expect(userOf(await create(), false)).resolves.toMatchObject({
      avatar_url: expect.stringMatching(GRAVATAR),
    });
  });
});
