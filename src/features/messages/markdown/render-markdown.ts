import MarkdownIt from 'markdown-it';
import { channelLinks } from './channel-links';
import { namedEmoji } from './emoji-syntax';
import { autolinks, textLinks } from './links';
import { mediaPreviews } from './media-previews';
import { mentions } from './mentions';
import { elements, type RenderContext, type RenderedMarkdown, RenderState } from './render-context';
import { sanitize } from './sanitize';
import { sourceDialect } from './source-dialect';
import { globalTimes } from './times';
import { codeSpans, fencedBlocks, math } from './verbatim';

/** Blocks and inline markup nested deeper than this stay text. Keeps the work proportional to the input. */
const MAX_NESTING = 15;
const ASTERISK = '*'.charCodeAt(0);

const OPTIONS = { html: false, breaks: true, linkify: false, maxNesting: MAX_NESTING * 2 };

/**
 * The parser shared by all renderings. Disabled: raw HTML; underlined headings, which would turn a line above `---`
 * into one; link definitions, which would vanish from the message; and images, which stay links until the uploaded file
 * is known.
 */
const markdownParser = new MarkdownIt(OPTIONS)
  .disable(['html_block', 'lheading', 'reference', 'html_inline', 'image', 'linkify'])
  .use(sourceDialect)
  .use(nestingLimit)
  .use(tableLimit)
  .use(emptyQuotations)
  .use(fencedBlocks)
  .use(codeSpans)
  .use(emphasisByAsterisks)
  .use(strikethrough)
  .use(elements)
  .use(math)
  .use(globalTimes)
  .use(autolinks)
  .use(mentions)
  .use(channelLinks)
  .use(namedEmoji)
  .use(textLinks)
  .use(mediaPreviews)
  .use(htmlDialect);

/** Keeps blocks that are nested too deeply as a paragraph; the parser would drop them. */
function nestingLimit(md: MarkdownIt): void {
  md.block.ruler.before('table', 'nesting_limit', (block, startLine, endLine, silent) => {
    if (block.level < MAX_NESTING || silent) return false;
    pushText(block, startLine, endLine);
    return true;
  });
}

/**
 * Maximum number of table cells. The HTML of a larger table would be too long to keep, and every row has as many cells
 * as the first.
 */
const MAX_CELLS = 3_000;

/** The delimiter row of a table: dashes, bars and colons. */
const RULE = /^[ \t|:-]+$/;

/** Keeps a table that is too large as a paragraph, before its cells are created. */
function tableLimit(md: MarkdownIt): void {
  md.block.ruler.before('table', 'table_limit', (block, startLine, endLine, silent) => {
    if (silent || startLine + 2 > endLine) return false;
    const rule = block.src.slice(block.bMarks[startLine + 1], block.eMarks[startLine + 1]);
    const columns = rule.split('|').length;
    if (columns * (endLine - startLine) <= MAX_CELLS || !RULE.test(rule)) return false;
    let end = startLine + 2;
    while (end < endLine && !block.isEmpty(end) && block.sCount[end]! >= block.blkIndent) end += 1;
    if (columns * (end - startLine) <= MAX_CELLS) return false;
    pushText(block, startLine, end);
    return true;
  });
}

const EMPTY_QUOTATION = /^ {0,3}>\s*$/;

/** Keeps empty quotations as text. */
function emptyQuotations(md: MarkdownIt): void {
  md.block.ruler.before('blockquote', 'empty_quotation', (block, startLine, endLine, silent) => {
    if (silent) return false;
    const lineAt = (line: number) => block.src.slice(block.bMarks[line], block.eMarks[line]);
    let end = startLine;
    while (end < endLine && EMPTY_QUOTATION.test(lineAt(end))) end += 1;
    if (end === startLine || (end < endLine && !block.isEmpty(end))) return false;
    pushText(block, startLine, end);
    return true;
  });
}

/** Adds the lines as one paragraph. */
function pushText(block: MarkdownIt.StateBlock, startLine: number, endLine: number): void {
  block.push('paragraph_open', 'p', 1);
  const inline = block.push('inline', '', 0);
  inline.content = block.getLines(startLine, endLine, block.blkIndent, false).trim();
  inline.children = [];
  block.push('paragraph_close', 'p', -1);
  block.line = endLine;
}

/** Emphasis with `*` only: `_` occurs in too many names. */
function emphasisByAsterisks(md: MarkdownIt): void {
  md.inline.ruler.at('emphasis', (inline, silent) => {
    if (silent || inline.src.charCodeAt(inline.pos) !== ASTERISK) return false;
    const run = inline.scanDelims(inline.pos, true);
    for (let count = 0; count < run.length; count++) {
      inline.push('text', '', 0).content = '*';
      inline.delimiters.push({
        marker: ASTERISK,
        length: run.length,
        token: inline.tokens.length - 1,
        end: -1,
        open: run.can_open,
        close: run.can_close,
      });
    }
    inline.pos += run.length;
    return true;
  });
  md.inline.ruler2.after('emphasis', 'strong_outside', (inline) => {
    putStrongOutside(inline.tokens);
    return true;
  });
}

const STRUCK = /~~[^~\n]+~~(?!~)/y;

/** `~~struck~~`, on one line, with exactly two marks on each side; spaces at the ends are allowed. */
function strikethrough(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', (inline, silent) => {
    const { src, pos, posMax } = inline;
    if (!src.startsWith('~~', pos) || src[pos - 1] === '~') return false;
    STRUCK.lastIndex = pos;
    if (!STRUCK.test(src) || STRUCK.lastIndex > posMax) return false;
    const end = STRUCK.lastIndex;
    if (!silent) {
      inline.push('s_open', 's', 1);
      Object.assign(inline, { pos: pos + 2, posMax: end - 2 });
      inline.md.inline.tokenize(inline);
      inline.push('s_close', 's', -1);
    }
    Object.assign(inline, { pos: end, posMax });
    return true;
  });
}

/** Clients expect `***both***` to be `strong` with `em` inside; the parser nests them the other way round. */
function putStrongOutside(tokens: readonly MarkdownIt.Token[]): void {
  // Markers leave empty text tokens behind.
  const present = tokens.filter(({ type, content }) => type !== 'text' || content !== '');
  const open: number[] = [];
  let opened: number | undefined;
  for (const [index, token] of present.entries()) {
    if (token.nesting === 1) open.push(index);
    const inner = present[index - 1]?.nesting === -1 ? opened : undefined;
    if (token.nesting === -1) opened = open.pop();
    if (token.type !== 'em_close' || inner === undefined || opened !== inner - 1) continue;
    if (present[inner]?.type !== 'strong_open') continue;
    exchange(present[opened]!, present[inner]);
    exchange(present[index - 1]!, token);
  }
}

function exchange(one: MarkdownIt.Token, other: MarkdownIt.Token): void {
  const { type, tag, markup } = one;
  Object.assign(one, { type: other.type, tag: other.tag, markup: other.markup });
  Object.assign(other, { type, tag, markup });
}

/** Adapts elements and attributes to what clients expect. */
function htmlDialect(md: MarkdownIt): void {
  md.renderer.rules.s_open = () => '<del>';
  md.renderer.rules.s_close = () => '</del>';
  for (const cell of ['th_open', 'td_open']) {
    md.renderer.rules[cell] = (tokens, index, options, _env, renderer) => {
      const style = tokens[index]!.attrGet('style');
      if (style) tokens[index]!.attrSet('style', `${style.replace(':', ': ')};`);
      return renderer.renderToken(tokens, index, options);
    };
  }
}

export type { RenderedMarkdown } from './render-context';

export { topicLinks } from './urls';

export type { RenderContext } from './render-context';

/**
 * Messages whose HTML is longer than this, which only crafted ones reach, are shown as plain text. The tags around
 * tokens of code, and formulas, have their own limits.
 */
const MAX_HTML_LENGTH = 100_000;

/**
 * Renders the Markdown of a message. Pure; never throws. The work grows with the length of the text, which the caller
 * limits.
 */
export function renderMarkdown(markdown: string, context: RenderContext): RenderedMarkdown {
  if (isPlain(markdown, context)) return plainMessage(markdown);
  const state = new RenderState(context);
  const tokens = markdownParser.parse(markdown, state);
  return {
    html: toHtml(markdown, tokens, state),
    mentionedUserIds: state.mentionedUserIds,
    mentionedGroupIds: state.mentionedGroupIds,
    channelWildcard: state.channelWildcard,
    topicWildcard: state.topicWildcard,
    hasLink: state.hasLink,
    hasImage: state.hasImage,
    hasAttachment: state.attachmentPaths.size > 0,
    attachmentPaths: [...state.attachmentPaths],
    isMeMessage: markdown.startsWith('/me ') && isSingleParagraph(tokens),
    prose: prose(tokens),
  };
}

/**
 * Most messages are one line of words and punctuation that cannot contain markup, links or emoji. They bypass the
 * parser, which would take as long for them as for others.
 */
const PLAIN_TEXT = /^[a-z](?:[a-z0-9'"\u00c0-\u024f]|[ -](?=[a-z0-9'"\u00c0-\u024f])|[.,?!](?=[ "]|$))*$/i;

function isPlain(markdown: string, context: RenderContext): boolean {
  return PLAIN_TEXT.test(markdown) && context.linkifiers(markdown).length === 0;
}

function plainMessage(text: string): RenderedMarkdown {
  return {
    html: `<p>${text}</p>`,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    attachmentPaths: [],
    isMeMessage: false,
    prose: text,
  };
}

/** Renders a channel description; '' if there is none. Mentions are shown without notifying. */
export function renderDescription(markdown: string, context: RenderContext): string {
  const state = new RenderState(context);
  return toHtml(markdown, markdownParser.parse(markdown, state), state);
}

function toHtml(markdown: string, tokens: MarkdownIt.Token[], state: RenderState): string {
  const html = markdownParser.renderer.render(tokens, markdownParser.options, state);
  if (html.length - state.typesetLength <= MAX_HTML_LENGTH) return sanitize(html).trimEnd();
  return `<p>${markdownParser.utils.escapeHtml(markdown).replaceAll('\n', '<br>\n')}</p>`;
}

function isSingleParagraph(tokens: readonly MarkdownIt.Token[]): boolean {
  return tokens.length === 3 && tokens[0]!.type === 'paragraph_open';
}

const CODE_BLOCKS = new Set(['fence', 'code_block', 'math_block']);

/**
 * The visible text of the tokens, without markup: one line per block or line break. Code blocks and formulas are left
 * out, as they are not prose; inline code is part of the text.
 */
function prose(tokens: readonly MarkdownIt.Token[]): string {
  return tokens
    .filter(({ type }) => !CODE_BLOCKS.has(type))
    .map((token) => (token.children ? token.children.map(inlineText).join('') : token.content.trimEnd()))
    .filter((text) => text !== '')
    .join('\n');
}

function inlineText(token: MarkdownIt.Token): string {
  return token.tag === 'br' ? '\n' : token.content;
}
