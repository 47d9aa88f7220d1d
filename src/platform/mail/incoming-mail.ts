/** What became of a mail, for the mail server. */
export type MailVerdict = 'accepted' | 'unknown' | 'malformed' | 'too large' | 'refused' | 'too many';

/** Folder in the data folder through which the command hands mails to the server. */
export const MAIL_FOLDER = 'incoming-mail';

/** Largest mail, as it arrives. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;

/** The `List-Id` of mail about missed messages, by which it is known if it comes back. */
export const missedListId = (hostname: string) => `missed-messages.${hostname}`;
