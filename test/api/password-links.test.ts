import { Role } from '../../src/platform/actor';
import { AuditReader } from '../support/audit-setup';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD } from '../support/invitation-setup';
import { openPage, sendForm } from '../support/page-setup';
import { OffsetClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new OffsetClock();
let app: TestApp;
let log: AuditReader;

beforeAll(async () => {
  app = await TestApp.start({ clock });
  log = await AuditReader.of(app);
});

afterAll(() => app.stop());

const make = async (by: Member, { id }: Pick<Member, 'id'>) =>
  (await app.companionAs(by)).post(`/auth/users/${id}/password-link`);
const pathOf = (url: string) => new URL(url).pathname;
const signIn = async ({ email }: Member, password: string) =>
  (await app.client().post('/fetch_api_key', { username: email, password })).status;

describe('A link for a new password', () => {
  it('lets the person set one, once, where the server sends no mail', async () => {
    const { adam, mia } = app.cast;
    const { status, body } = await make(adam, mia);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        url: expect.stringMatching(/^http:\/\/chat\.example\.com\/accounts\/password\/reset\//),
        expires_in: 3600,
      },
    });
    const path = pathOf(body.url);
    expect((await openPage(app, path)).status).toBe(200);
    expect((await sendForm(app, path, { password: GOOD_PASSWORD })).status).toBe(302);
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    expect((await sendForm(app, path, { password: `${GOOD_PASSWORD} again` })).status).toBe(404);
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    const made = (await log.news()).find(({ action }) => action === 'user.password_link_made');
    expect(made).toMatchObject({ actor_id: adam.id, target_user_id: mia.id, details: {} });
  });

  it('is over after an hour', async () => {
    const { olivia, max } = app.cast;
    const { body } = await make(olivia, max);
    clock.aheadMs += 3_601_000;
    expect((await openPage(app, pathOf(body.url))).status).toBe(404);
  });

  it('is over when the person gets another role: no link made for a member opens the account of an owner', async () => {
    const { adam, olivia, mona } = app.cast;
    for (const role of [Role.owner, Role.member]) {
      const path = pathOf((await make(role === Role.owner ? adam : olivia, mona)).body.url);
      expect((await openPage(app, path)).status).toBe(200);
      expectSuccess(await app.as(olivia).patch(`/users/${mona.id}`, { role }));
      expect((await openPage(app, path)).status).toBe(404);
      expect((await sendForm(app, path, { password: GOOD_PASSWORD })).status).toBe(404);
      expect(await signIn(mona, GOOD_PASSWORD)).toBe(401);
    }
    expectSuccess(await app.as(olivia).patch(`/users/${mona.id}`, { role: Role.moderator }));
  });

  it('is over when the address, the key or the account ends, and does not come back', async () => {
    const { adam, olivia } = app.cast;
    const ends = [
      async (id: number) =>
        expectSuccess(await app.as(olivia).patch(`/users/${id}`, { new_email: `other.${id}@example.com` })),
      async (id: number) => expectSuccess(await app.as({ id }).post('/users/me/api_key/regenerate')),
      async (id: number) => {
        expectSuccess(await app.as(olivia).delete(`/users/${id}`));
        expectSuccess(await app.as(olivia).post(`/users/${id}/reactivate`));
      },
    ];
    for (const [at, end] of ends.entries()) {
      const account = { deliveryEmail: `ends${at}@example.com`, fullName: `Ends ${at}`, role: Role.member };
      const person = await app.addAccount(account);
      const path = pathOf((await make(adam, person)).body.url);
      expect((await openPage(app, path)).status).toBe(200);
      await end(person.id);
      expect((await openPage(app, path)).status).toBe(404);
    }
  });

  it('is made of owners by owners, of nobody who is gone, and of no bots', async () => {
    const { adam, olivia, mia, mona, robo } = app.cast;
    expect((await make(adam, olivia)).status).toBe(403);
    expect((await make(olivia, olivia)).status).toBe(201);
    expect((await make(mona, mona)).status).toBe(403);
    expect((await make(adam, robo)).status).toBe(404);
    expect((await make(adam, { id: 999_999 })).status).toBe(404);
    await app.as(adam).delete(`/users/${mia.id}`);
    expect((await make(adam, mia)).status).toBe(400);
  });
});
