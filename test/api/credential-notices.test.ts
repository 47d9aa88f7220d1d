import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { Authenticator } from '../support/authenticator';
import { BrowserClient } from '../support/browser-client';
import { type Member, PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { MailServer } from '../support/mail-server';
import { PASSKEY_SITE, signInWith } from '../support/passkey-setup';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedClock();
let app: TestApp;
let server: MailServer;

beforeAll(async () => {
  server = await MailServer.start();
  app = await TestApp.start({
    clock,
    env: { SMTP_URL: server.url, EXTERNAL_URL: PASSKEY_SITE, ALLOWED_HOSTS: 'chat.example.com' },
  });
});

afterAll(async () => {
  await app.stop();
  await server.stop();
});

const jobsOf = (where: TestApp) =>
  where.writeRows((tx) => tx.query(`SELECT id FROM job WHERE kind = 'credential_notice_mail'`));

/** Subjects of the mails to a person about what they sign in with, once everything is sent. */
async function subjectsTo({ email }: Member): Promise<string[]> {
  while ((await jobsOf(app)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const mails = server.mails.filter(
    ({ to, plain }) => to.includes(email) && plain.includes('administrator did this'),
  );
  return mails.flatMap(({ header }) => header.filter((line) => line.startsWith('Subject: ')));
}

const codeNow = (seed: string) => codeAt(seed, Math.floor(clock.nowSeconds() / 30));

describe('A person whose credentials change', () => {
  it('hears of another password, chosen by themselves or by an administrator', async () => {
    const { mia, adam } = app.cast;
    const change = { old_password: PASSWORD, new_password: 'seven new herons' };
    expectSuccess(await app.as(mia).patch('/settings', change));
    const mail = await server.mail(1);
    expect(mail.to).toEqual([mia.email]);
    expect(mail.plain).toContain(`The password was changed for your account ${mia.email} at `);
    expect(mail.plain).toContain('Time: Tuesday, November 14, 2023');
    expect(mail.link).toMatch(/\/console\/settings$/);
    const admin = await app.companionAs(adam);
    expect((await admin.patch(`/auth/users/${mia.id}`, { password: 'nine old herons' })).status).toBe(200);
    expect(await subjectsTo(mia)).toEqual(
      Array(2).fill(expect.stringMatching(/Your password was changed at /)),
    );
  });

  it('hears of a change before their address was another', async () => {
    const { gus } = app.cast;
    const former = gus.email;
    const before = server.mails.length;
    const change = { old_password: PASSWORD, new_password: 'seven new herons', email: 'thief@example.com' };
    expectSuccess(await app.as(gus).patch('/settings', change));
    expect(await subjectsTo(gus)).toEqual([expect.stringMatching(/Your password was changed at /)]);
    // The other one is about the address.
    await server.mail(before + 2);
    expect(server.mails.filter(({ to }) => to.includes('thief@example.com'))).toEqual([]);
    expect(server.mails.filter(({ to }) => to.includes(former))).toHaveLength(2);
  });

  it('hears of a second factor that begins, is passed by, and ends', async () => {
    const { max } = app.cast;
    const client = await app.companionAs(max);
    const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    expect(await subjectsTo(max)).toEqual([]);
    const secret = body.secret as string;
    const confirmed = await client.post('/auth/me/second-factor/confirm', { code: codeNow(secret) });
    const [recoveryCode] = confirmed.body.recovery_codes as string[];
    expect((await client.post('/auth/me/reauthentication', { code: recoveryCode })).status).toBe(204);
    clock.now += 60_000;
    expect((await client.post('/auth/me/second-factor/remove', { code: codeNow(secret) })).status).toBe(204);
    expect(await subjectsTo(max)).toEqual([
      expect.stringMatching(/Two-factor sign-in was turned on at /),
      expect.stringMatching(/A recovery code was used at /),
      expect.stringMatching(/Two-factor sign-in was turned off at /),
    ]);
  });

  it('hears of passkeys that come, go, or may have been copied', async () => {
    const { mona } = app.cast;
    const client = await app.companionAs(mona);
    const add = async (key: Authenticator) => {
      const { body } = await client.post('/auth/me/passkeys/challenge');
      const made = key.make(body.options.challenge as string);
      return client.post('/auth/me/passkeys', { name: 'Blue key', state: body.state, ...made });
    };
    const key = new Authenticator(PASSKEY_SITE);
    key.signCount = 5;
    const { status, body } = await add(key);
    expect(status).toBe(201);
    expect((await signInWith(new BrowserClient(app.nest), key)).status).toBe(401);
    expect((await client.delete(`/auth/me/passkeys/${body.passkey.id}`)).status).toBe(204);
    expect(await subjectsTo(mona)).toEqual([
      expect.stringMatching(/A passkey was added at /),
      expect.stringMatching(/A passkey was rejected at /),
      expect.stringMatching(/A passkey was removed at /),
    ]);
    const copied = `A sign-in with what may be a copy of the passkey “Blue key” was rejected for your account ${mona.email} at `;
    expect(server.mails.map(({ plain }) => plain)).toContainEqual(expect.stringContaining(copied));
  });

  it('hears of a new key, of their own or of a bot', async () => {
    const { mia, robo } = app.cast;
    const before = (await subjectsTo(mia)).length;
    const key = { name: 'deploys', scopes: 'read', password: 'nine old herons' };
    const client = await app.companion().signIn(mia.email, 'nine old herons');
    expect((await client.post('/auth/keys', key)).status).toBe(201);
    expect((await client.post('/auth/keys', { ...key, bot_id: robo.id })).status).toBe(201);
    expect((await subjectsTo(mia)).slice(before)).toEqual(
      Array(2).fill(expect.stringMatching(/A new API key was created at /)),
    );
    const texts = server.mails.map(({ plain }) => plain);
    expect(texts).toContainEqual(
      expect.stringContaining(`“deploys” was created for your account ${mia.email}`),
    );
    expect(texts).toContainEqual(expect.stringContaining('“deploys” was created for your bot Robo Bot'));
  });
});

it('leaves nothing to be mailed where there is no mail server', async () => {
  const quiet = await TestApp.start();
  try {
    const change = { old_password: PASSWORD, new_password: 'seven new herons' };
    expectSuccess(await quiet.as(quiet.cast.mia).patch('/settings', change));
    await expect(jobsOf(quiet)).resolves.toEqual([]);
  } finally {
    await quiet.stop();
  }
});
