import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false });

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** Puts HTML together. Every value that is not {@link Html} is text, and escaped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]!) : ''));
  return new Html(texts.join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return markdown.utils.escapeHtml(String(part));
}

/** A sentence or two with `code` and emphasis in them. */
export function prose(text: string): Html {
  return new Html(markdown.renderInline(text));
}

/** No markup, for a part of the page that is omitted. */
export const NOTHING = new Html('');
