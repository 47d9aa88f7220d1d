import { setTimeout as pause } from 'node:timers/promises';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { AuditReader } from '../support/audit-setup';
import { PASSWORD, type Member } from '../support/cast';
import { reactivate } from '../support/deactivation';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD } from '../support/invitation-setup';
import { MailServer, type ReceivedMail } from '../support/mail-server';
import { openPage, sendForm } from '../support/page-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

const PATH = '/accounts/password/reset/';
const HOUR_MS = 3_600_000;
const clock = new OffsetClock();

let app: TestApp;
let server: MailServer;
const log: string[] = [];
const refusals: number[] = [];

beforeAll(async () => {
  server = await MailServer.start({ refusals });
  const env = { SMTP_URL: server.url, LOG_LEVEL: 'trace' };
  app = await TestApp.start({ clock, env, log: { write: (line) => void log.push(line) } });
});

afterAll(async () => {
  await app.stop();
  await server.stop();
});

// Limits count for an hour.
beforeEach(() => {
  clock.aheadMs += HOUR_MS;
});

const ask = (email: string, path = PATH) => sendForm(app, path, { email });
const signIn = async ({ email }: Member, password: string) =>
  (await app.client().post('/fetch_api_key', { username: email, password })).status;

/** Mails with a link; that a password was changed is told by another one. */
const resetMails = () => server.mails.filter(({ link }) => !link.endsWith('/console/settings'));

async function resetMail(count: number): Promise<ReceivedMail> {
  while (resetMails().length < count) await pause(10);
  return resetMails()[count - 1]!;
}

/** Asks for a link, and gets it by mail. */
async function linkFor({ email }: Member): Promise<string> {
  const count = resetMails().length + 1;
  expect(await ask(email)).toMatchObject({ status: 200 });
  const mail = await resetMail(count);
  expect(mail.to).toEqual([email]);
  return mail.link;
}

/** Waits until every mail that was asked for is sent, or found to be for nobody. */
async function allMailsSent(): Promise<void> {
  const waiting = () =>
    app.writeRows((tx) => tx.query(`SELECT id FROM job WHERE kind = 'password_reset_mail'`));
  while ((await waiting()).length > 0) await pause(10);
}

describe('Somebody who has forgotten the password', () => {
  it('gets a link by mail, and sets a new one with it, once', async () => {
    const { mia } = app.cast;
    const session = await app.companion().signIn(app.cast.adam.email, PASSWORD);
    for (const path of [PATH, PATH.slice(0, -1)]) {
      const { status, html } = await openPage(app, path);
      expect([status, html]).toEqual([200, expect.stringContaining('name="email"')]);
    }
    const audit = await AuditReader.of(app);
    const link = await linkFor(mia);
    expect(link).toMatch(/^http:\/\/chat\.example\.com\/accounts\/password\/reset\/\d+-\d+-[a-z2-7]{24}$/);
    expect((await openPage(app, link)).html).toContain('mia@example.com');
    for (const password of ['password', 'mia-member-2026']) {
      const { status, html } = await sendForm(app, link, { password });
      expect([status, html]).toEqual([400, expect.stringContaining('The password is too weak.')]);
    }
    expect(await sendForm(app, link, { password: GOOD_PASSWORD })).toMatchObject({ status: 302 });
    expect(await signIn(mia, PASSWORD)).toBe(401);
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    expect(await audit.find('action=user.password_changed')).toEqual([
      expect.objectContaining({
        way: 'main',
        actor_id: null,
        target_user_id: mia.id,
        details: { by_link: true },
      }),
    ]);
    for (const again of [await openPage(app, link), await sendForm(app, link, { password: PASSWORD })]) {
      expect(again).toMatchObject({ status: 404, html: expect.stringContaining('This link doesn’t work') });
    }
    expect(await signIn(mia, GOOD_PASSWORD)).toBe(200);
    expect((await session.get('/auth/me')).status).toBe(200);
    expect(log.join('')).toContain('/accounts/password/reset/[secret]');
    expect(log.join('')).not.toContain(link.slice(-24));
  });

  it('is signed out of the companion interface with that', async () => {
    const { adam } = app.cast;
    const session = await app.companion().signIn(adam.email, PASSWORD);
    expect((await session.get('/auth/me')).status).toBe(200);
    expect(await sendForm(app, await linkFor(adam), { password: GOOD_PASSWORD })).toMatchObject({
      status: 302,
    });
    expect((await session.get('/auth/me')).status).toBe(401);
  });

  it('gets the same answer whether there is such an account or not, and no mail', async () => {
    const { olivia, robo } = app.cast;
    const gone = await app.addAccount({ deliveryEmail: 'gone@example.com', fullName: 'Gone', role: 400 });
    expectSuccess(await app.as(olivia).delete(`/users/${gone.id}`));
    const before = resetMails().length;
    const known = await ask('MAX@example.com');
    for (const email of ['nobody@example.com', gone.email, robo.email, 'notification-bot@zulip.com']) {
      const { status, html } = await ask(email, PATH.slice(0, -1));
      expect([email, status, html]).toEqual([email, 200, known.html]);
    }
    await resetMail(before + 1);
    await allMailsSent();
    expect(
      resetMails()
        .slice(before)
        .map(({ to }) => to),
    ).toEqual([['max@example.com']]);
  });

  it('has to say an address', async () => {
    for (const email of ['', 'nobody', 'max@example.com, all@example.com']) {
      const { status, html } = await ask(email);
      expect([status, html]).toEqual([400, expect.stringContaining('Enter a valid email address.')]);
    }
  });

  it('gets three mails an hour, and no word about more', async () => {
    const { mona } = app.cast;
    const before = resetMails().length;
    const pages = [];
    for (let count = 0; count < 5; count++) {
      pages.push(await ask(mona.email));
      await allMailsSent();
    }
    expect(new Set(pages.map(({ status, html }) => `${status} ${html}`)).size).toBe(1);
    expect(resetMails()).toHaveLength(before + 3);
  });

  it('is refused after many attempts from one address', async () => {
    const statuses = [];
    for (let count = 0; count < 21; count++) statuses.push((await ask(`x${count}@example.com`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(await ask('y@example.com')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3600' },
      html: expect.stringContaining('Too many attempts'),
    });
    await allMailsSent();
  });

  it('gets no mail once the organization is deactivated', async () => {
    const { max, olivia } = app.cast;
    const { attempts, mails } = server;
    const before = mails.length;
    refusals.push(451);
    expect(await ask(max.email)).toMatchObject({ status: 200 });
    while (server.attempts === attempts) await pause(5);
    expectSuccess(await app.as(olivia).post('/realm/deactivate'));
    clock.aheadMs += 60_000;
    await app.get(Jobs).runDue();
    await allMailsSent();
    expect(await reactivate(app)).toBe(true);
    expect(mails).toHaveLength(before);
  });

  it('keeps the key with which apps are signed in, and is told of that', async () => {
    const { mona } = app.cast;
    const link = await linkFor(mona);
    expect((await openPage(app, link)).html).toContain('generate a new API key');
    expect(await sendForm(app, link, { password: GOOD_PASSWORD })).toMatchObject({ status: 302 });
    expectSuccess(await app.as(mona).get('/users/me'));
  });

  it('comes in once, when two people use the link at the same time', async () => {
    const { max } = app.cast;
    const link = await linkFor(max);
    const chosen = ['first of two herons', 'second of two herons'];
    const pages = await Promise.all(chosen.map((password) => sendForm(app, link, { password })));
    expect(pages.map(({ status }) => status).sort()).toEqual([302, 404]);
    const signedIn = await Promise.all(chosen.map((password) => signIn(max, password)));
    expect(signedIn.sort()).toEqual([200, 401]);
  });
});

describe('A link for a new password', () => {
  const isOver = async (link: string) =>
    expect(await openPage(app, link)).toMatchObject({
      status: 404,
      html: expect.stringContaining('This link doesn’t work'),
    });

  it('ends after an hour', async () => {
    const link = await linkFor(app.cast.gus);
    clock.aheadMs += HOUR_MS - 60_000;
    expect(await openPage(app, link)).toMatchObject({ status: 200 });
    clock.aheadMs += 61_000;
    await isOver(link);
  });

  it('ends with the account, its address and its password', async () => {
    const { olivia } = app.cast;
    const owner = app.as(olivia);
    const eve = await app.addAccount({ deliveryEmail: 'eve@example.com', fullName: 'Eve', role: 400 });
    const links = [await linkFor(eve), await linkFor(eve)];
    expect(await sendForm(app, links[0]!, { password: GOOD_PASSWORD })).toMatchObject({ status: 302 });
    await isOver(links[1]!);
    clock.aheadMs += HOUR_MS;
    const next = await linkFor(eve);
    expectSuccess(await owner.delete(`/users/${eve.id}`));
    await isOver(next);
    expectSuccess(await owner.post(`/users/${eve.id}/reactivate`));
    await isOver(next);
    const last = await linkFor(eve);
    const notice = resetMails().length + 1;
    expectSuccess(
      await app.as(eve).patch('/settings', { email: 'eva@example.com', old_password: GOOD_PASSWORD }),
    );
    await isOver(last);
    expect((await resetMail(notice)).to).toEqual(['eve@example.com']);
  });

  it('is good for its own account alone', async () => {
    const { gus, olivia } = app.cast;
    const link = await linkFor(gus);
    const wrong = [
      link.replace(`/${gus.id}-`, `/${olivia.id}-`),
      link.replace(/-(\d+)-/, (_, time) => `-${Number(time) + 1}-`),
      link.slice(0, -1),
      `${link}a`,
      `${PATH}1-1-1`,
      `${PATH}%00`,
    ];
    for (const each of wrong) await isOver(each);
    expect(await openPage(app, link)).toMatchObject({ status: 200 });
  });
});

describe('Without a mail server', () => {
  it('the page sends people to administrators', async () => {
    const without = await TestApp.start();
    try {
      for (const page of [
        await openPage(without, PATH),
        await sendForm(without, PATH, { email: 'x@example.com' }),
      ]) {
        expect(page).toMatchObject({ status: 404, html: expect.stringContaining('Ask an administrator') });
      }
    } finally {
      await without.stop();
    }
  });
});
