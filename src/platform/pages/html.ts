import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false });

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML. Escapes every value that is not {@link Html}. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]!) : ''));
  return new Html(texts.join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return markdown.utils.escapeHtml(String(part));
}

/** Renders inline Markdown, such as `code` and emphasis. */
export function prose(text: string): Html {
  return new Html(markdown.renderInline(text));
}

/** Empty markup, for an omitted part of a page. */
export const NOTHING = new Html('');
