import { type Html, markup } from '../pages/web-page';

/** An email with one link. Every text is plain and gets escaped in HTML. */
export interface MailMessage {
  /** Recipient address, already validated. */
  readonly to: string;
  /** Display name of the sender. */
  readonly fromName: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  /** Paragraphs after the link. */
  readonly closing: readonly string[];
}

/** An email as plain text and as HTML. */
export interface MailBody {
  readonly text: string;
  readonly html: string;
}

/** Renders both forms. The HTML shows the URL of the link as well. */
export function mailBody({ paragraphs, link, closing }: MailMessage): MailBody {
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
