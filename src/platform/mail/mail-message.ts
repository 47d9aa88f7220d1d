import { type Html, markup } from '../pages/html';

/** A mail with one thing to do in it. Every text in it is plain, whatever it looks like. */
export interface MailMessage {
  /** The address it goes to; one that was checked. */
  readonly to: string;
  /** Who it comes from, beside the sender's address. */
  readonly fromName: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  /** What follows the link. */
  readonly closing: readonly string[];
}

/** The same mail in its two forms. */
export interface MailBody {
  readonly text: string;
  readonly html: string;
}

/** For readers of plain text, and for those of HTML, who see the address of the link as well. */
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
