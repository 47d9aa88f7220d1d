import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { createChannel } from '../support/channel-setup';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { giveInOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
});

afterAll(() => app.stop());

const UNKNOWN = 'https://secure.gravatar.com/avatar/?d=mp&version=1';
const gravatar = (email: string) =>
  `https://secure.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}?d=identicon`;

/** Where the address of a picture leads somebody, or a person without an account. */
async function lead(viewer: Member | null, path: string): Promise<string | number> {
  const client = viewer ? app.as(viewer) : app.client();
  const { status, headers } = await client.send({ method: 'GET', url: `/avatar/${path}` });
  return status === 302 ? String(headers.location) : status;
}

describe('The address of a person’s picture by ID or address', () => {
  it('leads to the external provider, or to the uploaded picture with its version', async () => {
    const { max, mia } = app.cast;
    await expect(lead(max, `${mia.id}`)).resolves.toBe(`${gravatar(mia.email)}&version=1`);
    await expect(lead(max, `${mia.id}/medium`)).resolves.toBe(`${gravatar(mia.email)}&s=500&version=1`);
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#00f' } });
    const content = await picture.png().toBuffer();
    const answer = await app.as(mia).upload('/users/me/avatar', { name: 'me.png', content });
    const url: string = expectSuccess(answer).avatar_url;
    for (const person of [`${mia.id}`, mia.email, mia.email.toUpperCase()]) {
      await expect(lead(max, person)).resolves.toBe(`${url}?version=2`);
      await expect(lead(max, `${person}/medium`)).resolves.toBe(
        `${url.replace('.png', '-medium.png')}?version=2`,
      );
    }
    expect((await app.client().send({ method: 'GET', url: `${url}?version=2` })).status).toBe(200);
  });

  it('keeps the query string of the request', async () => {
    const { max, robo } = app.cast;
    await expect(lead(max, `${robo.id}?version=7&s=80`)).resolves.toBe(
      `${gravatar(robo.email)}&version=1&version=7&s=80`,
    );
    await expect(lead(max, `${robo.id}?x=%0d%0aSet-Cookie:a`)).resolves.toBe(
      `${gravatar(robo.email)}&version=1&x=%0d%0aSet-Cookie:a`,
    );
  });

  it('leads to a general picture where nobody has it', async () => {
    const { max } = app.cast;
    for (const id of ['999999', '0', '9999999999']) await expect(lead(max, id)).resolves.toBe(UNKNOWN);
    await expect(lead(max, 'nobody@example.com')).resolves.toBe(
      `${gravatar('nobody@example.com')}&version=1`,
    );
  });

  it('does not tell whose an address is that its owner hides', async () => {
    const { max, mona, adam } = app.cast;
    expectSuccess(await app.as(mona).patch('/settings', { email_address_visibility: 3 }));
    const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const answer = await app.as(mona).upload('/users/me/avatar', { name: 'me.png', content });
    const url = `${expectSuccess(answer).avatar_url}?version=2`;
    await expect(lead(max, mona.email)).resolves.toBe(`${gravatar(mona.email)}&version=1`);
    const { user } = expectSuccess(await app.as(max).get(`/users/${mona.id}`));
    expect(user.email).not.toBe(mona.email);
    await expect(lead(max, user.email)).resolves.toBe(url);
    await expect(lead(adam, mona.email)).resolves.toBe(url);
  });

  it('shows a restricted guest those alone with whom they share something', async () => {
    const { adam, mia, gus } = app.cast;
    await createChannel(app, mia, 'with a guest', { principals: [mia.id, gus.id] });
    await giveInOrganization(app, 'can_access_all_users_group', 'role:members');
    await expect(lead(gus, `${adam.id}`)).resolves.toBe(UNKNOWN);
    await expect(lead(gus, adam.email)).resolves.toBe(`${gravatar(adam.email)}&version=1`);
    await expect(lead(gus, `${mia.id}`)).resolves.toMatch(/^\/user_avatars\//);
    await giveInOrganization(app, 'can_access_all_users_group', 'role:everyone');
    await expect(lead(gus, `${adam.id}`)).resolves.toBe(`${gravatar(adam.email)}&version=1`);
  });

  it('is for strangers by ID alone, and only where the organization is open to them', async () => {
    const { olivia, adam } = app.cast;
    await expect(lead(null, `${adam.id}`)).resolves.toBe(401);
    await expect(lead(null, adam.email)).resolves.toBe(401);
    expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
    await expect(lead(null, `${adam.id}`)).resolves.toBe(`${gravatar(adam.email)}&version=1`);
    await expect(lead(null, adam.email)).resolves.toBe(401);
    await expect(lead(null, '999999')).resolves.toBe(UNKNOWN);
  });
});
