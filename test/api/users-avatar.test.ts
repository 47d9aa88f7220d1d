import sharp from 'sharp';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { expectError, expectSuccess } from '../support/expect-answer';
import { gifOfFrames } from '../support/gif';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const picture = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
const load = (url: string) => app.client().send({ method: 'GET', url });
const upload = (content: Buffer | string, name = 'me.jpg') =>
  app.as(app.cast.mia).upload('/users/me/avatar', { name, content });

describe('A picture', () => {
  it('is cut to size, served to everybody and told to everybody [USER-avatar_url, USER-avatar_version]', async () => {
    const { mia, max } = app.cast;
    let url = '';
    const events = await app.captureEvents(async () => {
      url = expectSuccess(await upload(await picture('#00f'))).avatar_url;
    });
    expect(url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{40}\.png$/);
    const medium = url.replace('.png', '-medium.png');
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'realm_user',
          op: 'update',
          person: {
            user_id: mia.id,
            avatar_source: 'U',
            avatar_url: url,
            avatar_url_medium: medium,
            avatar_version: 2,
          },
        },
        audience: everybody(),
      }),
    ]);
    const { user } = expectSuccess(await app.as(max).get(`/users/${mia.id}`));
    expect(user).toMatchObject({ avatar_url: url, avatar_version: 2 });

    for (const [address, side] of [
      [url, 100],
      [medium, 500],
    ] as const) {
      const file = await load(address);
      expect(file.status).toBe(200);
      expect(file.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      await expect(sharp(file.body).metadata()).resolves.toMatchObject({ width: side, height: side });
    }
  });

  it('takes the place of the one before', async () => {
    const before = expectSuccess(await upload(await picture('#0f0'))).avatar_url;
    const after = expectSuccess(await upload(await picture('#f00'))).avatar_url;
    expect(after).not.toBe(before);
    await expect(load(before)).resolves.toMatchObject({ status: 404 });
    await expect(load(after)).resolves.toMatchObject({ status: 200 });
  });

  it('can be taken back [USER-avatar_version]', async () => {
    const before = expectSuccess(await upload(await picture('#ff0'))).avatar_url;
    const answer = expectSuccess(await app.as(app.cast.mia).delete('/users/me/avatar'));
    expect(answer.avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/.*&version=\d+$/);
    await expect(load(before)).resolves.toMatchObject({ status: 404 });
  });

  it('has to be one', async () => {
    expectError(await upload('no picture'), 'Could not decode image; did you upload an image file?', {
      code: 'BAD_IMAGE',
    });
    expectError(await app.as(app.cast.mia).post('/users/me/avatar'), 'You must upload exactly one avatar.');
  });

  it('has at most 40 million pixels, and is still if it moves', async () => {
    const huge = sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } });
    const refusal = 'The image is too large (limit: 40 million pixels)';
    expectError(await upload(await huge.png().toBuffer()), refusal, { code: 'BAD_IMAGE' });
    expectSuccess(await upload(gifOfFrames(20)));
  });

  it('has at most 5 MiB', async () => {
    expectError(
      await upload(Buffer.alloc(5 * 1024 * 1024 + 1)),
      'Uploaded file is larger than the allowed limit of 5 MiB',
    );
  });

  it('stays where the organization says so, but for administrators', async () => {
    const { adam, mia } = app.cast;
    expectSuccess(await app.as(adam).patch('/realm', { avatar_changes_disabled: true }));
    const refusal = 'Avatar changes are disabled in this organization.';
    expectError(await upload(await picture('#fff')), refusal);
    expectError(await app.as(mia).delete('/users/me/avatar'), refusal);
    const file = { name: 'me.jpg', content: await picture('#fff') };
    expectSuccess(await app.as(adam).upload('/users/me/avatar', file));
    expectSuccess(await app.as(adam).patch('/realm', { avatar_changes_disabled: false }));
  });

  it.each(['x.png', '..%2f..%2fsecret', `${'0'.repeat(40)}.png`, `${'0'.repeat(40)}.png%00`])(
    'is not found under %s',
    async (name) => {
      const answer = await load(`/user_avatars/1/${name}`);
      expect(answer.status).toBe(404);
      expect(answer.headers['cache-control']).not.toContain('immutable');
    },
  );
});
