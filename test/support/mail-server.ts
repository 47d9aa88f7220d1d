import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { TestIdentity } from './tls/identities';

/** A mail received by the server. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it was sent with TLS. */
  readonly isEncrypted: boolean;
  /** Raw header lines, unfolded. */
  readonly header: readonly string[];
  /** The parts in plain text and in HTML, decoded. */
  readonly plain: string;
  readonly html: string;
  /** The first URL of this server in it. */
  readonly link: string;
}

/** Options of the mail server. */
export interface MailServerOptions {
  readonly login?: { readonly user: string; readonly pass: string };
  /** Offers `STARTTLS`, or speaks TLS from the start. */
  readonly tls?: { readonly identity: TestIdentity; readonly fromTheStart?: boolean };
  /** Refuses recipients with these codes, one after the other, before it accepts any. */
  readonly refusals?: number[];
}

/** A real mail server that stores what it receives. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Number of delivery attempts. */
  attempts = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(
    private readonly server: SMTPServer,
    private readonly login: MailServerOptions['login'],
    private readonly scheme: 'smtp' | 'smtps',
  ) {}

  static async start({ login, tls, refusals = [] }: MailServerOptions = {}): Promise<MailServer> {
    const isSecure = tls?.fromTheStart === true;
    const server = new SMTPServer({
      ...(tls && { cert: tls.identity.cert, key: readFileSync(tls.identity.keyPath), secure: isSecure }),
      disabledCommands: [...(tls && !isSecure ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      authOptional: !login,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === login?.user && password === login?.pass;
        if (isRight) done(null, { user: username });
        else done(new Error('Wrong.'));
      },
      onRcptTo: (_address, _session, done) => {
        mailServer.attempts += 1;
        const responseCode = refusals.shift();
        done(responseCode === undefined ? null : Object.assign(new Error('Not now.'), { responseCode }));
      },
      onData: (stream, { envelope, secure }, done) => {
        void text(stream).then((raw) => {
          const { mailFrom, rcptTo } = envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          mailServer.keep({
            from,
            to: rcptTo.map(({ address }) => address),
            isEncrypted: secure,
            ...parts(raw),
          });
          done();
        });
      },
    });
    // A client that does not trust the certificate ends the connection.
    server.on('error', () => undefined);
    const mailServer = new MailServer(server, login, isSecure ? 'smtps' : 'smtp');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  /** For `SMTP_URL`. */
  get url(): string {
    return this.urlAt('127.0.0.1');
  }

  /** The same with another name or address of this machine. */
  urlAt(host: string): string {
    const { port } = this.server.server.address() as AddressInfo;
    const login = this.login
      ? `${encodeURIComponent(this.login.user)}:${encodeURIComponent(this.login.pass)}@`
      : '';
    return `${this.scheme}://${login}${host}:${port}`;
  }

  /** Waits until this many mails have arrived since the start, and returns the last. */
  async mail(count: number): Promise<ReceivedMail> {
    while (this.mails.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.mails[count - 1] as ReceivedMail;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private keep(mail: ReceivedMail): void {
    this.mails.push(mail);
    for (const wake of this.waiting.splice(0)) wake();
  }
}

function parts(raw: string): Pick<ReceivedMail, 'header' | 'plain' | 'html' | 'link'> {
  const [head, ...rest] = raw.split('\r\n\r\n');
  const header = unfolded(head as string);
  const boundary = /boundary="?([^";]+)"?/.exec(header.join('\n'))?.[1] ?? '';
  const sections = rest.join('\r\n\r\n').split(`--${boundary}`);
  const section = (type: string) => decoded(sections.find((each) => each.includes(type)) ?? '');
  const plain = section('text/plain');
  return { header, plain, html: section('text/html'), link: /http:\/\/\S+\/\S+/.exec(plain)?.[0] ?? '' };
}

function unfolded(head: string): string[] {
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
}

function decoded(section: string): string {
  const [head, ...rest] = section.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').trimEnd();
  if (/base64/i.test(head as string)) return Buffer.from(body, 'base64').toString();
  if (!/quoted-printable/i.test(head as string)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
