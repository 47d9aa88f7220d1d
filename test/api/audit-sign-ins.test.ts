import { FirstSignInService } from '../../src/features/auth/auth.module';
import type { Parameters } from '../support/api-client';
import { AuditReader, type AuditRecord } from '../support/audit-setup';
import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const HOUR_MS = 3_600_000;
const TYPED = 'correct horse battery staple';

const clock = new StoppedClock();
let app: TestApp;
let log: AuditReader;

beforeAll(async () => {
  app = await TestApp.start({ clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  log = await AuditReader.of(app);
});

afterAll(() => app.stop());

beforeEach(async () => {
  clock.now += HOUR_MS;
  await log.news();
});

const logIn = async (username: string, password = TYPED, from = '127.0.0.1') => {
  const { status } = await app.nest
    .inject({
      method: 'POST',
      url: '/api/v1/fetch_api_key',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
      payload: new URLSearchParams({ username, password }).toString(),
    })
    .then(({ statusCode }) => ({ status: statusCode }));
  return status;
};

const isFailure = ({ action }: AuditRecord) => action === 'user.sign_in_failed';
const failures = async () => (await log.news()).filter(isFailure);

/** Sends a form from a page of the server. */
const sendForm = async (browser: BrowserClient, url: string, form: Parameters) => {
  const { status } = await browser.send({ method: 'POST', url, headers: FROM_OWN_PAGE, form });
  return status;
};

describe('A refused sign-in is recorded', () => {
  const entry = (more: object) => ({
    action: 'user.sign_in_failed',
    actor_id: null,
    address: '127.0.0.1',
    ...more,
  });

  it('on every way in, with the account that was tried', async () => {
    const { mia } = app.cast;
    expect(await logIn(mia.email)).toBe(401);
    expect((await app.companion().post('/auth/login', { email: mia.email, password: TYPED })).status).toBe(
      401,
    );
    expect((await new BrowserClient(app.nest).signIn(mia.email, TYPED)).status).toBe(401);
    const details = { reason: 'wrong_password' };
    expect(await failures()).toMatchObject([
      entry({ way: 'main', target_user_id: mia.id, details: { ...details, failures: 1 } }),
      entry({ way: 'companion', target_user_id: mia.id, details: { ...details, failures: 2 } }),
      entry({ target_user_id: mia.id, details: { ...details, failures: 3 } }),
    ]);
  });

  it('with the reason', async () => {
    const { olivia, max } = app.cast;
    await logIn('nobody@example.com');
    expect(await failures()).toEqual([
      expect.objectContaining(
        entry({ target_user_id: null, target_id: null, details: { reason: 'unknown_account', failures: 1 } }),
      ),
    ]);
    const owner = app.as(olivia);
    expectSuccess(await owner.delete(`/users/${max.id}`));
    await logIn(max.email, PASSWORD);
    await app.companion().post('/auth/login', { email: max.email, password: PASSWORD });
    expectSuccess(await owner.post(`/users/${max.id}/reactivate`));
    for (let i = 0; i < 6; i += 1) await logIn(max.email);
    const reasons = (await failures()).map(({ details, target_user_id: id }) => [details['reason'], id]);
    expect(reasons).toEqual([
      ['deactivated', max.id],
      ['deactivated', max.id],
      ...Array.from({ length: 5 }, () => ['wrong_password', max.id]),
      ['too_many_attempts', max.id],
    ]);
    const link = await app.get(FirstSignInService).linkFor('olivia@example.com', '');
    const form = { password: TYPED };
    expect(await sendForm(new BrowserClient(app.nest), link.replace(/-\d+-/, '-9999999999-'), form)).toBe(
      404,
    );
    expect(await failures()).toMatchObject([entry({ details: { reason: 'link_over' } })]);
  });

  it('where the password is to confirm who is signed in', async () => {
    const { gus } = app.cast;
    const browser = await browserOf(app, gus);
    await log.news();
    const answer = await browser.call('POST', '/json/fetch_api_key', { password: TYPED });
    expect(answer.body.msg).toBe('Password is incorrect.');
    await app
      .as(gus)
      .patch('/settings', { old_password: TYPED, new_password: 'seven quiet herons in reeds' });
    const own = { action: 'user.sign_in_failed', actor_id: gus.id, target_user_id: gus.id };
    expect(await log.news()).toMatchObject([own, own]);
  });

  it('without anything of what was typed, which may be a password in the wrong field', async () => {
    const { mia } = app.cast;
    await logIn('hunter2secret', 'hunter2secret');
    await logIn('hunter2secret@example.com', 'hunter2secret');
    await logIn(mia.email, 'hunter2secret');
    const found = await failures();
    expect(found).toHaveLength(3);
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(JSON.stringify(found.slice(0, 2))).not.toContain(mia.email);
  });
});

describe('Refused sign-ins do not fill the log', () => {
  it('from one client at one account: ten entries an hour, then one for each tenfold, which tells their number', async () => {
    const { mia, olivia } = app.cast;
    for (let i = 0; i < 120; i += 1) await logIn(mia.email);
    const numbers = (await failures()).map(({ details }) => details['failures']);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100]);
    await logIn(olivia.email);
    expect(await failures()).toMatchObject([
      { target_user_id: olivia.id, details: { failures: 1, unrecorded: 20 } },
    ]);
    clock.now += HOUR_MS;
    await logIn(mia.email);
    expect((await failures()).map(({ details }) => details)).toEqual([
      { reason: 'wrong_password', failures: 1 },
    ]);
  });

  it('from many clients: a hundred entries an hour, and those at accounts beside them', async () => {
    const clients = Array.from({ length: 105 }, (_, i) => `198.51.100.${i + 1}`);
    await Promise.all(clients.map((client) => logIn('nobody@example.com', TYPED, client)));
    await logIn(app.cast.mia.email);
    const recorded = await log.find('action=user.sign_in_failed&order=newest');
    const now = recorded.filter(({ created_at: at }) => at === clock.nowSeconds());
    expect(now.filter(({ target_user_id: id }) => id === null).length).toBeGreaterThanOrEqual(99);
    const rows = await app.writeRows((tx) =>
      tx.query<{ count: number }>(
        "SELECT COUNT(*) AS count FROM audit_entry WHERE action = 'user.sign_in_failed' AND created_at = ?",
        [clock.nowSeconds()],
      ),
    );
    expect(Number(rows[0]?.count)).toBe(101);
    expect(now[0]).toMatchObject({ target_user_id: app.cast.mia.id, details: { unrecorded: 5 } });
  });
});
