import type { SendMailOptions } from 'nodemailer';
import { mailBody, type MailMessage } from './mail-message';

/** A mail as it is handed over. Addresses are objects, so that none of them is taken for several. */
export function mailWire(from: string, message: MailMessage): SendMailOptions {
  return {
    from: { name: oneLine(message.fromName), address: from },
    to: { name: '', address: message.to },
    subject: oneLine(message.title),
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...mailBody(message),
  };
}

const MAX_LINE = 200;

/** A text for one line of the header: of control characters and line ends only spaces are left. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_LINE).join('');
}
