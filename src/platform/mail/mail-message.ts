import { type Html, markup } from '../pages/web-page';

/** An email as plain text and as HTML. */
export interface MailBody {
  readonly text: string;
  readonly html: string;
}

/** An email except its body. Every text is plain, and becomes one line of the header. */
interface MailHead {
  /** Recipient address, already validated. */
  readonly to: string;
  /** Display name of the sender. */
  readonly fromName: string;
  readonly title: string;
  /** Address for replies, if not the sender. */
  readonly replyTo?: string | null;
  /** Its own ID and those of earlier mails in the thread, with angle brackets. */
  readonly thread?: { readonly id: string; readonly references: readonly string[] };
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An email with one link. Every text is plain and gets escaped in HTML. */
interface LinkMail extends MailHead {
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  /** Paragraphs after the link. */
  readonly closing: readonly string[];
}

/** An email; one with its own body contains both forms. */
export type MailMessage = LinkMail | (MailHead & { readonly body: MailBody });

/** Renders both forms. The HTML shows the link's URL as well. */
export function mailBody(message: MailMessage): MailBody {
  if ('body' in message) return message.body;
  const { paragraphs, link, closing } = message;
  const html = markup`<!doctype html>
    <html lang="en">
      <body>
        ${paragraphs.map(paragraph)}
        <p><a href="${link.url}">${link.label}</a></p>
        <p>${link.url}</p>
        ${closing.map(paragraph)}
      </body>
    </html>`;
  return {
    text: [...paragraphs, `${link.label}:\n${link.url}`, ...closing].join('\n\n') + '\n',
    html: html.text,
  };
}

function paragraph(text: string): Html {
  return markup`<p>${text}</p> `;
}
