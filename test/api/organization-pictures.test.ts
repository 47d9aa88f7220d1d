import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toPng } from 'jdenticon';
import sharp from 'sharp';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Config } from '../../src/platform/config/config';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();
const adam = () => app.as(app.cast.adam);
const uploadIcon = (content: Buffer | string) => adam().upload('/realm/icon', { name: 'i.jpg', content });
const uploadLogo = (content: Buffer | string, night: boolean) =>
  adam().upload('/realm/logo', { name: 'l.jpg', content }, { night });
const load = (url: string) => app.client().send({ method: 'GET', url });
const stored = () => readdirSync(join(app.get(Config).dataDir, 'files/organization'));
const keys = async () => {
  const state = await stateOf(app, app.cast.gus, { wanted: ['realm'] });
  return Object.fromEntries(
    Object.entries(state).filter(([key]) => /^realm_(icon|logo|night_logo)_(url|source)$/.test(key)),
  );
};

describe('The icon of the organization', () => {
  it('is drawn by the server until somebody uploads one, and so are the logos', async () => {
    const state = await stateOf(app, app.cast.gus, { wanted: ['realm'] });
    const url = '/user_avatars/1/realm/icon.png?version=1';
    await expect(keys()).resolves.toEqual({
      realm_icon_url: url,
      realm_icon_source: 'G',
      realm_logo_url: '/user_avatars/1/realm/logo.png?version=1',
      realm_logo_source: 'D',
      realm_night_logo_url: '/user_avatars/1/realm/night_logo.png?version=1',
      realm_night_logo_source: 'D',
    });
    const answer = await app.as(app.cast.gus).get('/realm/icon');
    expect(answer).toMatchObject({ status: 302, headers: { location: url } });
    for (const address of [url, state.realm_logo_url, url]) {
      const file = await load(address);
      expect(file).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'public, max-age=31536000, immutable' },
      });
      expect(file.body.equals(toPng(state.realm_uuid, 100))).toBe(true);
    }
  });

  it('is cut to size, served to everybody and told to everybody', async () => {
    let url = '';
    const events = await app.captureEvents(async () => {
      url = expectSuccess(await uploadIcon(await picture(60, 30))).icon_url;
    });
    expect(url).toBe('/user_avatars/1/realm/icon.png?version=2');
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [
        { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url: url, icon_source: 'U' } },
        everybody(),
      ],
    ]);
    await expect(keys()).resolves.toMatchObject({ realm_icon_url: url, realm_icon_source: 'U' });
    expect(expectSuccess(await app.client().get('/server_settings')).realm_icon).toBe(url);
    expect((await app.as(app.cast.gus).get('/realm/icon', { x: 1 })).headers.location).toBe(`${url}&x=1`);

    const file = await load(url);
    expect(file).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' },
    });
    await expect(sharp(file.body).metadata()).resolves.toMatchObject({
      format: 'png',
      width: 100,
      height: 100,
    });
  });

  it('is kept by browsers under its own version alone', async () => {
    const first = expectSuccess(await uploadIcon(await picture(10, 10))).icon_url;
    const second = expectSuccess(await uploadIcon(await picture(20, 20))).icon_url;
    expect(second).not.toBe(first);
    for (const url of [first, '/user_avatars/1/realm/icon.png']) {
      expect((await load(url)).headers['cache-control']).toBe('no-cache');
    }
    expect((await load(second)).headers['cache-control']).toContain('immutable');
    expect(stored()).toHaveLength(1);
  });

  it('is taken away', async () => {
    const before = expectSuccess(await uploadIcon(await picture(10, 10))).icon_url;
    const uploaded = (await load(before)).body;
    let after = '';
    const events = await app.captureEvents(async () => {
      after = expectSuccess(await adam().delete('/realm/icon')).icon_url;
    });
    expect(after).not.toBe(before);
    expect(events.map(({ event }) => event.data)).toEqual([{ icon_url: after, icon_source: 'G' }]);
    const drawn = await load(after);
    expect(drawn.status).toBe(200);
    expect(drawn.body.equals(uploaded)).toBe(false);
    expect(stored()).toEqual([]);
  });

  it('has to be one picture of at most 5 MiB', async () => {
    expectError(await adam().post('/realm/icon'), 'You must upload exactly one icon.');
    expectError(await uploadIcon('no picture'), 'Could not decode image; did you upload an image file?', {
      code: 'BAD_IMAGE',
    });
    expectError(
      await uploadIcon(Buffer.alloc(5 * 1024 * 1024 + 1)),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    );
    expect(stored()).toEqual([]);
  });
});

describe('The logos of the organization', () => {
  it.each([
    ['logo', false],
    ['night_logo', true],
  ] as const)('include the %s, which keeps its form', async (kind, night) => {
    const events = await app.captureEvents(async () => {
      expectSuccess(await uploadLogo(await picture(1600, 100), night));
      expectSuccess(await uploadLogo(await picture(30, 20), night));
    });
    const url = `/user_avatars/1/realm/${kind}.png?version=3`;
    expect(events.map(({ event }) => event)).toMatchObject([
      { property: kind, data: { [`${kind}_source`]: 'U' } },
      {
        type: 'realm',
        op: 'update_dict',
        property: kind,
        data: { [`${kind}_url`]: url, [`${kind}_source`]: 'U' },
      },
    ]);
    await expect(sharp((await load(url)).body).metadata()).resolves.toMatchObject({ width: 30, height: 20 });
    const answer = await app.as(app.cast.gus).get('/realm/logo', { night });
    expect(answer).toMatchObject({ status: 302, headers: { location: `${url}&night=${night}` } });
    await expect(keys()).resolves.toMatchObject({
      [`realm_${kind}_url`]: url,
      [`realm_${kind}_source`]: 'U',
    });

    expectSuccess(await uploadLogo(await picture(1600, 100), night));
    const { body } = await load(`/user_avatars/1/realm/${kind}.png?version=4`);
    await expect(sharp(body).metadata()).resolves.toMatchObject({ width: 800, height: 50 });
    expectSuccess(await adam().delete('/realm/logo', { night }));
    await expect(keys()).resolves.toMatchObject({
      [`realm_${kind}_url`]: `/user_avatars/1/realm/${kind}.png?version=5`,
      [`realm_${kind}_source`]: 'D',
    });
  });

  it('are told apart by a parameter, which may follow the file', async () => {
    expectSuccess(await adam().delete('/realm/logo', { night: true }));
    for (const answer of [
      await adam().upload('/realm/logo', { name: 'l.jpg', content: await picture(9, 9) }),
      await adam().delete('/realm/logo'),
      await adam().get('/realm/logo'),
    ]) {
      expectError(answer, "Missing 'night' argument", {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: 'night' },
      });
    }
    expectError(await adam().post('/realm/logo', { night: true }), 'You must upload exactly one logo.');
    const form = new FormData();
    form.append('file-0', new Blob([new Uint8Array(await picture(9, 9))]), 'logo.jpg');
    form.append('night', 'true');
    const request = new Request('http://test.invalid/', { method: 'POST', body: form });
    const answer = await adam().send({
      method: 'POST',
      url: '/api/v1/realm/logo',
      headers: { 'content-type': request.headers.get('content-type') as string },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expectSuccess(answer);
    await expect(keys()).resolves.toMatchObject({ realm_night_logo_source: 'U' });
  });
});

it.each(['mona', 'mia', 'gus'] as const)('%s changes no picture of the organization', async (who) => {
  const client = app.as(app.cast[who]);
  const file = { name: 'i.jpg', content: await picture(9, 9) };
  for (const answer of [
    await client.upload('/realm/icon', file),
    await client.delete('/realm/icon'),
    await client.upload('/realm/logo', file, { night: false }),
    await client.delete('/realm/logo', { night: false }),
  ]) {
    expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
  }
});

it.each(['logo', 'favicon.png', 'icon.png%00', '..%2fsecret'])('No picture has the name %s', async (name) => {
  await expect(load(`/user_avatars/1/realm/${name}`)).resolves.toMatchObject({ status: 404 });
});
