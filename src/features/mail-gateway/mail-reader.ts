import PostalMime, { decodeWords } from 'postal-mime';
import { htmlToMarkdown } from './html-to-markdown';
import { isForwarded, MAX_TEXT, topicOf, withoutFooter, withoutQuotes } from './mail-text';

/**
 * Child process that parses one mail, started by `readMail`. A malicious mail can only crash this process, within its
 * time and memory limits. Imports as little as possible.
 */

/** A mail to parse, with options. */
export interface MailToRead {
  readonly raw: Uint8Array;
  readonly prefersHtml: boolean;
  readonly withFooter: boolean;
  readonly withQuotes: boolean;
  /** Removes quotations even from forwarded mails. */
  readonly isReply: boolean;
}

/** A mail attachment. */
export interface MailFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The parts of a mail to post. */
export interface MailContent {
  /** Derived from the subject; may be too long for a topic. */
  readonly topic: string;
  /** Decoded header field; untrusted. */
  readonly from: string;
  /** Markdown; null for a mail without text. */
  readonly text: string | null;
  readonly files: readonly MailFile[];
  /** Number of attachments omitted from {@link files}. */
  readonly moreFiles: number;
}

const MAX_NESTING = 50;
/** Maximum total header size of all parts, in bytes. */
const MAX_HEADERS = 4 * 1024 * 1024;
const MAX_FILES = 20;
const MAX_NAME = 200;
const MAX_FROM = 300;
const MAX_TITLE = 1_000;

/** Body bytes to parse of a mail that is only text, since only the beginning is used. */
const MAX_BODY = 1024 * 1024;

/** Truncates mails that are only text, because the parser is slow with many lines. */
function shortened(raw: Buffer): Buffer {
  const end = /\r?\n\r?\n/.exec(raw.toString('latin1', 0, MAX_BODY))?.index ?? 0;
  const head = raw.toString('latin1', 0, end);
  const hasOtherThanText = /^content-type:\s*(?!\s|text\/)/im.test(head) || /name[\d*]*=/i.test(head);
  return hasOtherThanText ? raw : raw.subarray(0, end + MAX_BODY);
}

async function read(mail: MailToRead): Promise<MailContent> {
  const email = await PostalMime.parse(shortened(Buffer.from(mail.raw)), {
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADERS,
    maxRfc822NestingDepth: 0,
  });
  const named = email.attachments.filter(({ filename }) => (filename ?? '') !== '');
  const files = named.slice(0, MAX_FILES).map(({ filename, mimeType, content }): MailFile => ({
    name: (filename ?? '').slice(0, MAX_NAME),
    contentType: mimeType.slice(0, MAX_NAME),
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  }));
  const field = (name: string, limit: number) =>
    decodeWords((email.headers.find(({ key }) => key === name)?.value ?? '').slice(0, 4 * limit)).slice(
      0,
      limit,
    );
  const title = field('subject', MAX_TITLE);
  const withQuotes = mail.withQuotes || (!mail.isReply && isForwarded(title));
  return {
    topic: topicOf(title),
    from: field('from', MAX_FROM),
    text: textOf(email, mail, withQuotes),
    files,
    moreFiles: named.length - files.length,
  };
}

function textOf(
  { text, html }: { readonly text?: string; readonly html?: string },
  { prefersHtml, withFooter }: MailToRead,
  withQuotes: boolean,
): string | null {
  const fromHtml = () => html !== undefined && htmlToMarkdown(html, { withQuotes });
  const plain = text?.slice(0, MAX_TEXT).replace(/\r\n?/g, '\n');
  // The parser returns a line break for an empty text part.
  const isPlain = prefersHtml ? !fromHtml() : Boolean(plain?.trim());
  const chosen = isPlain ? plain : fromHtml() || plain;
  if (typeof chosen !== 'string') return html === undefined ? null : '';
  const form = isPlain ? 'plain' : 'markdown';
  const own = withQuotes ? chosen : withoutQuotes(chosen, form);
  return (withFooter ? own : withoutFooter(own, form)).replaceAll('\0', '').trim();
}

process.once('message', (mail) => {
  void read(mail as MailToRead).then(
    (content) => process.send?.({ content }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
