import type MarkdownIt from 'markdown-it';

/** What a reader sees of the tokens, without markup: one line per block or line break. For full text search. */
export function plainText(tokens: readonly MarkdownIt.Token[]): string {
  return tokens
    .map((token) => (token.children ? token.children.map(inlineText).join('') : token.content.trimEnd()))
    .filter((text) => text !== '')
    .join('\n');
}

function inlineText(token: MarkdownIt.Token): string {
  return token.tag === 'br' ? '\n' : token.content;
}
