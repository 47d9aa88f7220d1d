import { connect, isIP, type Socket } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';
import { isLoopback } from '../config/network-settings';
import { UnrecoverableError } from '../jobs/job';
import type { MailMessage } from './mail-message';
import { mailWire } from './mail.wire';

/** The mail server that receives mails. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection uses TLS from its first byte, rather than from `STARTTLS` on. */
  readonly isSecure: boolean;
  /** Whether mails may be sent without TLS if the server does not offer it. A password may only on this machine. */
  readonly isPlainAllowed: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
}

const SUBMISSION_PORT = 587;
const SECURE_SUBMISSION_PORT = 465;

/**
 * @param url such as `smtp://parley:password@mail.example.com:587`
 * @param allowPlain whether mails may cross the network without TLS
 */
export function smtpServerAt(url: string, allowPlain: boolean): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const hasLogin = username !== '';
  return {
    host,
    port: port === '' ? (isSecure ? SECURE_SUBMISSION_PORT : SUBMISSION_PORT) : Number(port),
    isSecure,
    // A local mail server often has no certificate, and the connection cannot be intercepted.
    isPlainAllowed: isLoopback(host) || (allowPlain && !hasLogin),
    login: hasLogin ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : null,
  };
}

/**
 * Delivers a mail, with TLS whenever the server offers it: mails contain links that are as sensitive as a password. The
 * certificate is always verified.
 * @param from the sender's address
 * @param signal ends the connection, however slow or silent the other side is
 * @throws UnrecoverableError if the mail server will never accept this mail, Error if it may accept it later
 */
export async function handOver(
  server: SmtpServer,
  from: string,
  message: MailMessage,
  signal: AbortSignal,
): Promise<void> {
  try {
    await transportTo(server, signal).sendMail(mailWire(from, message));
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Connects to a mail server and signs in if there is a password, without sending a mail.
 * @throws Error describing the problem
 */
export async function greet(server: SmtpServer, signal: AbortSignal): Promise<void> {
  try {
    await transportTo(server, signal).verify();
  } catch (error) {
    throw failureOf(error);
  }
}

function transportTo(server: SmtpServer, signal: AbortSignal) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it where no mail is sent, too
  const { createTransport } = require('nodemailer') as typeof import('nodemailer');
  const { host, port, isSecure, isPlainAllowed, login } = server;
  const options: SMTPTransportOptions = {
    host,
    port,
    secure: isSecure,
    // Otherwise a man in the middle could remove the offer of TLS from the greeting.
    requireTLS: !isPlainAllowed,
    ...(login && { auth: login }),
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, callback) => {
      const socket: Socket = connect({ host, port, signal });
      const fail = (error: Error) => callback(error, false);
      socket.once('error', fail);
      socket.once('connect', () => {
        socket.off('error', fail);
        callback(null, { connection: socket });
      });
    },
  };
  return createTransport(options);
}

const TLS_ADVICE = 'It does not offer TLS: use smtps://, or see ALLOW_SMTP_WITHOUT_TLS.';

/** Describes a failure without the other side's text, which may repeat what it was sent. */
function failureOf(error: unknown): Error {
  const { code, responseCode, command } = error as Partial<Record<'code' | 'command', string>> & {
    responseCode?: number;
  };
  const facts = [command, code, responseCode].filter((fact) => fact !== undefined);
  const advice = command === 'STARTTLS' ? ` ${TLS_ADVICE}` : '';
  const message = `The mail server did not take a mail (${facts.join(' ')}).${advice}`;
  const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isForGood = isRefused && responseCode !== undefined && responseCode >= 500;
  return isForGood ? new UnrecoverableError(message) : new Error(message);
}
