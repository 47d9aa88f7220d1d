import { isEmail } from 'class-validator';

/** Whether a text is an e-mail address as people have them; no quoted names, no addresses of networks. */
export function isEmailAddress(text: string): boolean {
  return isEmail(text, { require_tld: false, allow_utf8_local_part: false });
}

/** The domain of an address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
