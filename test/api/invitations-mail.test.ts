import { setTimeout as pause } from 'node:timers/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expectError, expectSuccess } from '../support/expect-answer';
import { invitesOf, join } from '../support/invitation-setup';
import { MailServer } from '../support/mail-server';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import type { Member } from '../support/cast';
import type { Parameters } from '../support/api-client';

const clock = new OffsetClock();

const inviteAs = async (app: TestApp, member: Member, invitee_emails: string, more: Parameters = {}) =>
  expectSuccess(await app.as(member).post('/invites', { invitee_emails, stream_ids: [], ...more }));

/** Jobs wait for their time by the clock, which stands ahead. */
async function jobsOf(app: TestApp) {
  return app.writeRows((tx) =>
    tx.query<{ key: string; data: string; lastError: string | null }>(
      `SELECT key, data, last_error AS "lastError" FROM job WHERE kind = 'invitation_mail' ORDER BY id`,
    ),
  );
}

describe('A mail server', () => {
  let app: TestApp;
  let server: MailServer;
  const log: string[] = [];

  beforeAll(async () => {
    server = await MailServer.start({ login: { user: 'parley@home', pass: 'p@ss/word' } });
    const env = { SMTP_URL: server.url, MAIL_FROM: 'chat@example.org', LOG_LEVEL: 'trace' };
    app = await TestApp.start({ clock, env, log: { write: (line) => void log.push(line) } });
  });

  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  it('gets invitations, whose link nobody else is shown', async () => {
    const { olivia, adam } = app.cast;
    expectSuccess(await app.as(olivia).patch('/realm', { name: 'Rose & <Sons>' }));
    expect(await inviteAs(app, adam, 'Ada <ada@example.com>')).not.toHaveProperty('invite_links');
    const mail = await server.mail(1);
    expect(mail).toMatchObject({ from: 'chat@example.org', to: ['ada@example.com'] });
    expect(mail.header).toEqual(
      expect.arrayContaining([
        'From: "Rose & Sons" <chat@example.org>',
        'To: ada@example.com',
        'Subject: Adam Administrator invited you to Rose & <Sons>',
        'Auto-Submitted: auto-generated',
      ]),
    );
    expect(mail.plain).toContain('Adam Administrator invited you to join Rose & <Sons>');
    expect(mail.plain).toContain('The link works once and expires in 10 days.');
    expect(mail.html).toContain('Rose &amp; &lt;Sons&gt;');
    expect(mail.html).toContain(`href="${mail.link}"`);
    const [record] = await invitesOf(app, olivia);
    expect(record).not.toHaveProperty('link_url');
    expect(await join(app, mail.link)).toMatchObject({ status: 302 });
    await expect(jobsOf(app)).resolves.toEqual([]);
    const key = mail.link.slice(-41, -1);
    expect(log.join('')).toContain('/join/[secret]/');
    expect(log.join('')).not.toContain(key);
    expect(log.join('')).not.toContain('p@ss');
    const stored = await app.writeRows((tx) => tx.query('SELECT * FROM invitation'));
    expect(JSON.stringify(stored)).not.toContain(key.slice(16));
  });

  it('gets them again on request, though not without end', async () => {
    const { adam } = app.cast;
    const before = server.mails.length;
    await inviteAs(app, adam, 'bea@example.com');
    const first = await server.mail(before + 1);
    const [{ id }] = await invitesOf(app, adam);
    const resend = () => app.as(adam).post(`/invites/${id}/resend`);
    for (let count = 1; count <= 10; count++) {
      expectSuccess(await resend());
      expect((await server.mail(before + 1 + count)).link).toBe(first.link);
    }
    expectError(await resend(), 'Invitation resent too often. Revoke it and send a new one.');
    expectSuccess(await app.as(adam).delete(`/invites/${id}`));
    await expect(jobsOf(app)).resolves.toEqual([]);
  });

  it('gets a reminder before the end of an invitation that holds for days', async () => {
    const { adam } = app.cast;
    const before = server.mails.length;
    await inviteAs(app, adam, 'carl@example.com', { invite_expires_in_minutes: 4 * 1440 });
    await inviteAs(app, adam, 'dora@example.com', { invite_expires_in_minutes: 3 * 1440 });
    await inviteAs(app, adam, 'emil@example.com', { invite_expires_in_minutes: null });
    await server.mail(before + 3);
    clock.aheadMs += 2 * 86_400_000 + 1_000;
    const reminder = await server.mail(before + 4);
    expect(reminder.to).toEqual(['carl@example.com']);
    expect(reminder.plain).toContain('The invitation expires soon');
    await expect(jobsOf(app)).resolves.toEqual([]);
  });

  it('cannot be made to send other mails by what people call themselves', async () => {
    const { adam } = app.cast;
    const before = server.mails.length;
    const names = ['fay@example.com\r\nBcc: all@example.com', '"x, all@example.com" <fay@example.com>'];
    for (const invitee_emails of names) {
      await app.as(adam).post('/invites', { invitee_emails, stream_ids: [] });
    }
    const sent = server.mails.slice(before).flatMap(({ to }) => to);
    expect(sent.filter((address) => address.startsWith('all@'))).toEqual([]);
  });
});

describe('A mail server that refuses', () => {
  it('is asked again where it may take the mail later, and not where it never will', async () => {
    const refusals = [450, 550];
    const server = await MailServer.start({ refusals });
    const app = await TestApp.start({ clock, env: { SMTP_URL: server.url } });
    try {
      await inviteAs(app, app.cast.adam, 'gil@example.com', { invite_expires_in_minutes: 60 });
      while (server.attempts < 1) await pause(10);
      for (;;) {
        const [job] = await jobsOf(app);
        if (job?.lastError === 'The mail server did not take a mail (RCPT TO EENVELOPE 450).') break;
        await pause(10);
      }
      expect(await app.as(app.cast.adam).get('/invites')).toMatchObject({ status: 200 });
      clock.aheadMs += 11_000;
      while ((await jobsOf(app)).length > 0) await pause(10);
      expect(server.attempts).toBe(2);
      expect(server.mails).toEqual([]);
    } finally {
      await app.stop();
      await server.stop();
    }
  });
});

describe('A mail server that says nothing', () => {
  it('delays neither requests nor the stop of the server', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, SHUTDOWN_TIMEOUT_SECONDS: '1' };
    const app = await TestApp.start({ clock, env });
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    await inviteAs(app, app.cast.adam, 'hal@example.com');
    await connected;
    await expect(invitesOf(app, app.cast.adam)).resolves.toHaveLength(1);
    const [job] = await jobsOf(app);
    expect(Object.keys(JSON.parse(job!.data))).toEqual(['invitationId', 'isReminder']);
    await app.stop();
    await Promise.all(
      sockets
        .filter((socket) => !socket.destroyed)
        .map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    await new Promise((resolve) => silent.close(resolve));
  });
});
