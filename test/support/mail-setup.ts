import { mailPosting, ReceiveMailService } from '../../src/features/mail-gateway/receive-mail.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import { fetchMessages } from './message-setup';
import type { TestApp } from './test-app';

/** A raw mail, from its header and body. */
export function mailOf(header: Readonly<Record<string, string>>, body = 'Soup is ready.'): Buffer {
  const fields = { From: 'Ada <ada@elsewhere.example>', Subject: 'Soup', ...header };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body.replace(/\r?\n/g, '\r\n')}\r\n`);
}

/** Several parts, each with its own header. */
export function multipart(kind: string, parts: readonly string[]): { type: string; body: string } {
  const boundary = `=-${kind}`;
  const body = [...parts.map((part) => `--${boundary}\n${part}\n`), `--${boundary}--\n`].join('');
  return { type: `multipart/${kind}; boundary="${boundary}"`, body };
}

/** The email address of a channel for a person, with these options instead of `show-sender`. */
export async function channelAddress(
  app: TestApp,
  person: Member,
  channel: number,
  options = '',
  parameters = {},
): Promise<string> {
  const { email } = expectSuccess(await app.as(person).get(`/streams/${channel}/email_address`, parameters));
  return String(email).replace('.show-sender', options);
}

/** Receives a mail like the command, and posts it. @returns the verdict for the mail server */
export async function deliver(app: TestApp, recipient: string | undefined, mail: Buffer): Promise<string> {
  const verdict = await app.get(ReceiveMailService).receive(mail, recipient);
  await app.get(Jobs).runDue(mailPosting);
  return verdict;
}

/** A message as seen by readers. */
export interface SeenMessage {
  readonly id: number;
  readonly subject: string;
  readonly content: string;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly flags: readonly string[];
}

/** The messages of a channel, in Markdown, oldest first. */
export async function messagesIn(app: TestApp, reader: Member, channel: number): Promise<SeenMessage[]> {
  const narrow = [{ operator: 'channel', operand: channel }];
  const { messages } = expectSuccess(await fetchMessages(app, reader, narrow, { apply_markdown: false }));
  return messages;
}
