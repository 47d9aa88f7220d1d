/** Outcome of an incoming mail, for the mail server. */
export type MailVerdict = 'accepted' | 'unknown' | 'malformed' | 'too large' | 'refused' | 'too many';

/** Folder in the data folder through which the command passes mails to the server. */
export const MAIL_FOLDER = 'incoming-mail';

/** Maximum size of an incoming mail. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;

/** The `List-Id` of missed-message emails, which identifies them if they are returned. */
export const missedListId = (hostname: string) => `missed-messages.${hostname}`;
