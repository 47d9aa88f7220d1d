import type MarkdownIt from 'markdown-it';

type Attributes = Record<string, string>;

/** The token of an HTML element that holds nothing but text, or of a void element if the text is its description. */
export function fillElement(
  token: MarkdownIt.Token,
  tag: string,
  attributes: Attributes,
  text: string,
): MarkdownIt.Token {
  token.type = 'element';
  token.tag = tag;
  token.attrs = Object.entries(attributes);
  token.content = text;
  return token;
}

/** Appends such an element to the inline tokens. */
export function pushElement(
  inline: MarkdownIt.StateInline,
  tag: string,
  attributes: Attributes,
  text: string,
): void {
  fillElement(inline.push('element', tag, 0), tag, attributes, text);
}

/** True within the text of a link, where no other link may begin. */
export function isInsideLink(inline: MarkdownIt.StateInline): boolean {
  // The published types leave the counter out.
  return (inline as MarkdownIt.StateInline & { readonly linkLevel: number }).linkLevel > 0;
}

/** Plugin: renders the tokens made above. */
export function elements(md: MarkdownIt): void {
  md.renderer.rules.element = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!;
    const opening = `<${token.tag}${renderer.renderAttrs(token)}>`;
    return token.tag === 'img' ? opening : `${opening}${md.utils.escapeHtml(token.content)}</${token.tag}>`;
  };
}
