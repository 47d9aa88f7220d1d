import type MarkdownIt from 'markdown-it';
import { markdownParser } from './markdown-parser';
import { type RenderContext, type RenderedMarkdown, RenderState } from './render-context';
import { sanitize } from './sanitize';

export type { RenderedMarkdown } from './render-context';

export { topicLinks } from './urls';

export type { RenderContext } from './render-context';

/**
 * Longer HTML than this, which only messages made for it reach, is not worth its markup. The tags around tokens of code,
 * and formulas, have limits of their own.
 */
const MAX_HTML_LENGTH = 100_000;

/**
 * Renders the Markdown of a message. Pure; never throws; the work grows with the length of the text, which the caller
 * limits.
 */
export function renderMarkdown(markdown: string, context: RenderContext): RenderedMarkdown {
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
 * What a reader sees of the tokens, without markup: one line per block or line break. Blocks of code and formulas are left out, as
 * their words are not prose; code within a line belongs to the text.
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
