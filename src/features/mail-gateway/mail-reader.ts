import PostalMime, { decodeWords } from 'postal-mime';
import { htmlToMarkdown } from './html-to-markdown';
import { isForwarded, MAX_TEXT, topicOf, withoutFooter, withoutQuotes } from './mail-text';

/**
 * A process that reads one mail, started by `readMail`: a hostile one costs this process, within its limits of time and
 * memory, and nothing else. Loads as little as it can.
 */

/** What is read, and how. */
export interface MailToRead {
  readonly raw: Uint8Array;
  readonly prefersHtml: boolean;
  readonly withFooter: boolean;
  readonly withQuotes: boolean;
  /** Quotes go even out of forwarded mails. */
  readonly isReply: boolean;
}

/** A file in a mail. */
export interface MailFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** A mail as it is posted. */
export interface MailContent {
  /** From the subject; may be too long. */
  readonly topic: string;
  /** As the header has it, decoded; anyone may write anything there. */
  readonly from: string;
  /** Markdown; null for a mail without a text. */
  readonly text: string | null;
  readonly files: readonly MailFile[];
  /** How many files there are beyond {@link files}. */
  readonly moreFiles: number;
}

const MAX_NESTING = 50;
/** Bytes of the headers of all parts together. */
const MAX_HEADERS = 4 * 1024 * 1024;
const MAX_FILES = 20;
const MAX_NAME = 200;
const MAX_FROM = 300;
const MAX_TITLE = 1_000;

/** Bytes of a mail without parts that are read: of its text, only the beginning is looked at. */
const MAX_BODY = 1024 * 1024;

/** The parser takes long for many lines. */
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
  // A part without a text is given as a line break.
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
