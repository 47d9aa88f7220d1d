import type MarkdownIt from 'markdown-it';

const CODE_BLOCKS = new Set(['fence', 'code_block']);

/**
 * What a reader sees of the tokens, without markup: one line per block or line break. Blocks of code are left out, as
 * they are full of words that nobody says; code within a line belongs to the text.
 */
export function prose(tokens: readonly MarkdownIt.Token[]): string {
  return tokens
    .filter(({ type }) => !CODE_BLOCKS.has(type))
    .map((token) => (token.children ? token.children.map(inlineText).join('') : token.content.trimEnd()))
    .filter((text) => text !== '')
    .join('\n');
}

function inlineText(token: MarkdownIt.Token): string {
  return token.tag === 'br' ? '\n' : token.content;
}
