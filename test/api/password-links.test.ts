import { AuditReader } from '../support/audit-setup';
import type { Member } from '../support/cast';
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
    expect((await sendForm(app, path, { password: GOOD_PASSWORD })).status).toBe(200);
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    expect((await sendForm(app, path, { password: `${GOOD_PASSWORD} again` })).status).not.toBe(200);
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    const made = (await log.news()).find(({ action }) => action === 'user.password_link_made');
    expect(made).toMatchObject({ actor_id: adam.id, target_user_id: mia.id, details: {} });
  });

  it('is over after an hour', async () => {
    const { olivia, max } = app.cast;
    const { body } = await make(olivia, max);
    clock.aheadMs += 3_601_000;
    expect((await openPage(app, pathOf(body.url))).status).not.toBe(200);
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
