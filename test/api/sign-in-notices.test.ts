import { browserOf } from '../support/browser-client';
import { type Member, PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { MailServer } from '../support/mail-server';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const NEWER_FIREFOX = FIREFOX.replaceAll('128.0', '140.0');
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36';

const clock = new StoppedClock();
let app: TestApp;
let server: MailServer;

beforeAll(async () => {
  server = await MailServer.start();
  app = await TestApp.start({ clock, env: { SMTP_URL: server.url, TRUSTED_PROXIES: '127.0.0.1' } });
});

afterAll(async () => {
  await app.stop();
  await server.stop();
});

const signIn = (who: Member, userAgent: string, address = '192.0.2.1') =>
  browserOf(app, who, { 'user-agent': userAgent, 'x-forwarded-for': address });

const jobs = () => app.writeRows((tx) => tx.query(`SELECT id FROM job WHERE kind = 'sign_in_notice_mail'`));

/** Mails to a person, once everything is sent. */
async function mailsTo({ email }: Member): Promise<number> {
  while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return server.mails.filter(({ to }) => to.includes(email)).length;
}

describe('A person whose account is signed in to from a new device', () => {
  it('is told by mail what, when, where, and how to end it', async () => {
    const { mia } = app.cast;
    expectSuccess(
      await app.as(mia).patch('/settings', { timezone: 'Europe/Berlin', twenty_four_hour_time: true }),
    );
    await signIn(mia, FIREFOX);
    await signIn(mia, CHROME, '198.51.100.7');
    const mail = await server.mail(1);
    expect(mail.to).toEqual([mia.email]);
    expect(mail.header).toContainEqual('Subject: New sign-in from Chrome on Windows');
    expect(mail.plain).toContain('Time: Tuesday, November 14, 2023 at 23:13:20 GMT+1');
    expect(mail.plain).toContain('IP address: 198.51.100.7');
    expect(mail.link).toMatch(/\/console\/settings\/devices$/);
    expect(mail.plain).toMatch(/\/accounts\/password\/reset\//);
  });

  it('hears nothing of the first one, of the same program in the same network, and of newer versions', async () => {
    const { max } = app.cast;
    await signIn(max, FIREFOX);
    await signIn(max, FIREFOX, '192.0.2.77');
    await signIn(max, NEWER_FIREFOX);
    expect(await mailsTo(max)).toBe(0);
    await signIn(max, FIREFOX, '203.0.113.1');
    expect(await mailsTo(max)).toBe(1);
  });

  it('hears of a device that was away for a month, and of programs that get the API key', async () => {
    const { mona } = app.cast;
    await signIn(mona, FIREFOX);
    clock.now += 29 * 86_400_000;
    await signIn(mona, FIREFOX);
    expect(await mailsTo(mona)).toBe(0);
    clock.now += 31 * 86_400_000;
    await signIn(mona, FIREFOX);
    expect(await mailsTo(mona)).toBe(1);
    const asked = await app.client().post('/fetch_api_key', { username: mona.email, password: PASSWORD });
    expectSuccess(asked);
    expect(await mailsTo(mona)).toBe(2);
  });

  it('may turn it off, but for owners', async () => {
    const { gus, olivia } = app.cast;
    for (const person of [gus, olivia]) {
      expectSuccess(await app.as(person).patch('/settings', { enable_login_emails: false }));
    }
    await signIn(gus, FIREFOX);
    await signIn(gus, CHROME);
    expect(await mailsTo(gus)).toBe(0);
    await app.companionAs(olivia);
    await app.client().post('/fetch_api_key', { username: olivia.email, password: PASSWORD });
    expect(await jobs()).toEqual([]);
  });

  it('has as many known devices as fifty', async () => {
    const { adam } = app.cast;
    for (let network = 0; network < 52; network++) await signIn(adam, FIREFOX, `198.18.${network}.1`);
    const rows = await app.writeRows((tx) =>
      tx.query('SELECT id FROM known_device WHERE user_id = ?', [adam.id]),
    );
    expect(rows).toHaveLength(50);
  });
});
