import type { SendMailOptions } from 'nodemailer';
import { mailBody, type MailMessage } from './mail-message';

/** A mail in the library's format. Addresses are objects, so that none of them is parsed as several. */
export function mailWire(from: string, message: MailMessage): SendMailOptions {
  const { replyTo, thread, headers = {} } = message;
  return {
    from: { name: displayName(message.fromName), address: from },
    to: { name: '', address: message.to },
    subject: oneLine(message.title),
    ...(replyTo && { replyTo: { name: displayName(message.fromName), address: replyTo } }),
    ...(thread && { messageId: thread.id, references: [...thread.references] }),
    headers: { 'Auto-Submitted': 'auto-generated', ...lines(headers) },
    ...mailBody(message),
  };
}

/** Characters of addresses and quoted names. */
const ADDRESS_MARKS = /[@<>"\\]/;

/**
 * A header name that cannot pass for an address: many mail programs show only the name. The library quotes names, but
 * `"boss@example.com" <noreply@...>` is a valid one, and so are full-width characters, such as `＠`.
 */
function displayName(name: string): string {
  const characters = Array.from(name, (each) => (ADDRESS_MARKS.test(each.normalize('NFKC')) ? ' ' : each));
  return oneLine(characters.join(''));
}

function lines(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, unbroken(value)]));
}

const MAX_LINE = 200;

/** Shortens a text to one line of the header. */
function oneLine(text: string): string {
  return Array.from(unbroken(text)).slice(0, MAX_LINE).join('');
}

/** Replaces control characters and line breaks with spaces. */
function unbroken(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
