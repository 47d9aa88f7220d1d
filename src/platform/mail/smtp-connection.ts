import { connect, isIP, type Socket } from 'node:net';
import type { SMTPTransportOptions } from 'nodemailer';
import { UnrecoverableError } from '../jobs/job';
import type { MailMessage } from './mail-message';
import { mailWire } from './mail.wire';

/** Where mails are handed over. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection speaks TLS from its first byte; otherwise it does so once the server offers it. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
}

const SUBMISSION_PORT = 587;
const SECURE_SUBMISSION_PORT = 465;

/** @param url such as `smtp://parley:password@mail.example.com:587` */
export function smtpServerAt(url: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? SECURE_SUBMISSION_PORT : SUBMISSION_PORT) : Number(port),
    isSecure,
    login:
      username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

/**
 * Hands a mail over. A password goes over the network through TLS only.
 * @param from the sender's address
 * @param signal ends the connection, however slow or silent the other side is
 * @throws UnrecoverableError where the mail server will never take this mail, Error where it may later
 */
export async function handOver(
  server: SmtpServer,
  from: string,
  message: MailMessage,
  signal: AbortSignal,
): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it where no mail is sent, too
  const { createTransport } = require('nodemailer') as typeof import('nodemailer');
  const { host, port, isSecure, login } = server;
  const options: SMTPTransportOptions = {
    host,
    port,
    secure: isSecure,
    requireTLS: login !== null && !isLoopback(host),
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
  const transport = createTransport(options);
  try {
    await transport.sendMail(mailWire(from, message));
  } catch (error) {
    throw failureOf(error);
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What is known of a failure without what the other side said, which may repeat what it was sent. */
function failureOf(error: unknown): Error {
  const { code, responseCode, command } = error as Partial<Record<'code' | 'command', string>> & {
    responseCode?: number;
  };
  const facts = [command, code, responseCode].filter((fact) => fact !== undefined);
  const message = `The mail server did not take a mail (${facts.join(' ')}).`;
  const isRefused = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isForGood = isRefused && responseCode !== undefined && responseCode >= 500;
  return isForGood ? new UnrecoverableError(message) : new Error(message);
}
