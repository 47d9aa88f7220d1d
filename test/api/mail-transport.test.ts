import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from '../support/compiled-server';
import { expectError, expectSuccess } from '../support/expect-answer';
import { MailServer, type MailServerOptions } from '../support/mail-server';
import { ServerProcess } from '../support/server-process';
import { TestApp } from '../support/test-app';
import { FIRST } from '../support/tls/identities';

/** Leads to this machine, although it is not one of its loopback addresses: as good as another machine to the server. */
const EXPORTED_ELSEWHERE = '0.0.0.0';
const LOGIN = { user: 'parley', pass: 'secret-of-the-mail-server' };
const PLAIN = { ALLOW_SMTP_WITHOUT_TLS: 'true' };

/** Runs a mail server and an organization that sends its mails there. */
async function withMail(
  options: MailServerOptions & { readonly host?: string; readonly env?: Record<string, string> },
  work: (app: TestApp, server: MailServer) => Promise<void>,
): Promise<void> {
  const { host = '127.0.0.1', env = {}, ...rest } = options;
  const server = await MailServer.start(rest);
  const app = await TestApp.start({ env: { SMTP_URL: server.urlAt(host), ...env } });
  try {
    await work(app, server);
  } finally {
    await app.stop();
    await server.stop();
  }
}

async function invite(app: TestApp, email: string): Promise<void> {
  expectSuccess(await app.as(app.cast.adam).post('/invites', { invitee_emails: email, stream_ids: [] }));
}

/** Why the mail that waits could not be handed over, which its reminder, another job of the kind, has not tried yet. */
async function failure(app: TestApp): Promise<string> {
  for (;;) {
    const [job] = await app.writeRows((tx) =>
      tx.query<{ error: string }>(
        `SELECT last_error AS error FROM job WHERE kind = 'invitation_mail' AND last_error IS NOT NULL`,
      ),
    );
    if (job) return job.error;
    await pause(10);
  }
}

describe('A mail server without TLS', () => {
  it.each<[string, MailServerOptions & { env?: Record<string, string> }]>([
    ['', {}],
    ['that wants a password, where mails may go without', { login: LOGIN, env: PLAIN }],
  ])('gets nothing from another machine %s', async (_, options) => {
    await withMail({ ...options, host: EXPORTED_ELSEWHERE }, async (app, server) => {
      await invite(app, 'gil@example.com');
      expect(await failure(app)).toMatch(
        /^The mail server did not take a mail \(STARTTLS ETLS 50\d\)\. It does not offer TLS: use smtps:\/\/, or see ALLOW_SMTP_WITHOUT_TLS\.$/,
      );
      expect([server.attempts, server.mails]).toEqual([0, []]);
    });
  });

  it.each<[string, MailServerOptions & { host?: string; env?: Record<string, string> }]>([
    ['on the same machine, with a password', { login: LOGIN }],
    ['where the operator allows it', { host: EXPORTED_ELSEWHERE, env: PLAIN }],
  ])('gets mails %s', async (_, options) => {
    await withMail(options, async (app, server) => {
      await invite(app, 'gil@example.com');
      expect(await server.mail(1)).toMatchObject({ to: ['gil@example.com'], isEncrypted: false });
    });
  });
});

describe('A mail server with TLS', () => {
  it.each<[string, MailServerOptions & { host?: string; env?: Record<string, string> }]>([
    [
      'after STARTTLS, where it could do without',
      { host: EXPORTED_ELSEWHERE, env: PLAIN, tls: { identity: FIRST } },
    ],
    ['from the start', { tls: { identity: FIRST, fromTheStart: true } }],
  ])('gets nothing while its certificate is not trusted, %s', async (_, options) => {
    await withMail(options, async (app, server) => {
      await invite(app, 'gil@example.com');
      expect(await failure(app)).toMatch(/^The mail server did not take a mail \(.*(?:ETLS|ESOCKET)/);
      expect([server.attempts, server.mails]).toEqual([0, []]);
    });
  });

  it.each([
    ['by STARTTLS', false],
    ['from the start', true],
  ])('gets mails and the password through it, %s', async (_, fromTheStart) => {
    const mails = await MailServer.start({ login: LOGIN, tls: { identity: FIRST, fromTheStart } });
    const folder = mkdtempSync(join(tmpdir(), 'parley-mail-'));
    // The list of trusted authorities is read when a process starts.
    const env = { DATA_DIR: folder, SMTP_URL: mails.url, NODE_EXTRA_CA_CERTS: FIRST.certPath };
    const server = new ServerProcess([compiledServer()], { env });
    try {
      const { origin } = await server.ready();
      const [, email = '', key = ''] =
        /^email=(.*)\nkey=(.*)$/m.exec(readFileSync(join(folder, 'zuliprc'), 'utf8')) ?? [];
      const { status } = await fetch(`${origin}/api/v1/invites`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
        body: new URLSearchParams({ invitee_emails: 'gil@example.com', stream_ids: '[]' }),
      });
      expect(status).toBe(200);
      expect(await mails.mail(1)).toMatchObject({ to: ['gil@example.com'], isEncrypted: true });
    } finally {
      server.signal('SIGKILL');
      await server.exitCode();
      await mails.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('The name that mails come from', () => {
  let app: TestApp;
  let server: MailServer;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ env: { SMTP_URL: server.url, MAIL_FROM: 'chat@example.org' } });
  });

  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  it.each([
    ['boss@corp.example', '"boss corp.example" <chat@example.org>'],
    ['boss＠corp.example', '"boss corp.example" <chat@example.org>'],
    ['Boss <boss@corp.example>', '"Boss boss corp.example" <chat@example.org>'],
    ['＜boss﹫corp.example＞', '"boss corp.example" <chat@example.org>'],
    ['"boss@corp.example" <x@y.example>,', '"boss corp.example x y.example ," <chat@example.org>'],
    ['Smith, Jones (Berlin)', '"Smith, Jones (Berlin)" <chat@example.org>'],
    ['Back\\slash" <b@c.example>', '"Back slash b c.example" <chat@example.org>'],
    ['@', 'chat@example.org'],
  ])('is never an address: %j', async (name, shown) => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { name }));
    const before = server.mails.length;
    await invite(app, `guest-${before}@example.com`);
    const { header } = await server.mail(before + 1);
    expect(header.filter((line) => /^from:/i.test(line))).toEqual([`From: ${shown}`]);
  });

  it.each(['boss@corp.example', 'boss＠corp.example', 'Boss ＞', 'boss﹫corp.example'])(
    'stands beside that of an inviter, who cannot be called %s',
    async (full_name) => {
      const answer = await app.as(app.cast.adam).patch('/settings', { full_name });
      expectError(answer, 'Invalid characters in name!');
    },
  );

  it('has no quoted address beside it to which a mail goes', async () => {
    const before = server.mails.length;
    const invitee_emails = '"boss@corp.example"@example.com';
    const answer = await app.as(app.cast.adam).post('/invites', { invitee_emails, stream_ids: [] });
    expect(answer).toMatchObject({ status: 400, body: { result: 'error' } });
    await invite(app, `guest-${before}@example.com`);
    expect(await server.mail(before + 1)).toMatchObject({ to: [`guest-${before}@example.com`] });
  });
});
