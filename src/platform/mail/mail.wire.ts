import type { SendMailOptions } from 'nodemailer';
import { mailBody, type MailMessage } from './mail-message';

/** A mail as it is handed over. Addresses are objects, so that none of them is taken for several. */
export function mailWire(from: string, message: MailMessage): SendMailOptions {
  return {
    from: { name: displayName(message.fromName), address: from },
    to: { name: '', address: message.to },
    subject: oneLine(message.title),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...mailBody(message),
  };
}

/** What addresses and quoted names are written with. */
const ADDRESS_MARKS = /[@<>"\\]/;

/**
 * A name for the header that cannot pass for an address: many programs show the name alone. The library quotes names, but
 * `"boss@example.com" <noreply@...>` is a valid one, and so are marks of another width, such as `＠`.
 */
function displayName(name: string): string {
  const characters = Array.from(name, (each) => (ADDRESS_MARKS.test(each.normalize('NFKC')) ? ' ' : each));
  return oneLine(characters.join(''));
}

const MAX_LINE = 200;

/** A text for one line of the header: of control characters and line ends only spaces are left. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_LINE).join('');
}
