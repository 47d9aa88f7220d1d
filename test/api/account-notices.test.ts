import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { MailServer } from '../support/mail-server';
import { TestApp } from '../support/test-app';

const jobs = (app: TestApp) =>
  app.writeRows((tx) => tx.query(`SELECT id FROM job WHERE kind = 'email_notice_mail'`));

describe('A person whose address changes', () => {
  let app: TestApp;
  let server: MailServer;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ env: { SMTP_URL: server.url } });
  });

  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  it('is told at the former address, in which the new one does not stand', async () => {
    const { mia } = app.cast;
    expectSuccess(
      await app.as(mia).patch('/settings', { email: 'thief@example.com', old_password: PASSWORD }),
    );
    const mail = await server.mail(1);
    expect(mail.to).toEqual([mia.email]);
    expect(mail.header).toContainEqual(
      expect.stringMatching(/^Subject: Your email address at .* was changed$/),
    );
    expect(mail.plain).toContain('Hello Mia Member,');
    expect(mail.plain).toContain('Contact an administrator immediately');
    expect(mail.plain + mail.html).not.toContain('thief');
  });

  it('hears nothing of what is refused, or stays', async () => {
    const { max } = app.cast;
    expect(
      (await app.as(max).patch('/settings', { email: 'no address', old_password: PASSWORD })).status,
    ).toBe(400);
    expectSuccess(await app.as(max).patch('/settings', { email: max.email }));
    await expect(jobs(app)).resolves.toEqual([]);
    expect(server.mails.flatMap(({ to }) => to)).not.toContain(max.email);
  });
});

it('leaves nothing to be mailed where there is no mail server', async () => {
  const app = await TestApp.start();
  try {
    const change = { email: 'mia.m@example.com', old_password: PASSWORD };
    expectSuccess(await app.as(app.cast.mia).patch('/settings', change));
    await expect(jobs(app)).resolves.toEqual([]);
  } finally {
    await app.stop();
  }
});
