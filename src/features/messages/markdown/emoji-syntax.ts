import type MarkdownIt from 'markdown-it';
import { canonicalName, codeOf, EXTRA_EMOJI } from '../../../platform/emoji/emoji';
import { fillElement, RenderState } from './render-context';

const NAMED = /:([\p{L}\p{N}_+-]+):/uy;

/**
 * Flags, keycaps, and pictographs with their modifiers and joiners. A sequence missing from the emoji table is left
 * alone as a whole, so that clients with newer fonts still show it as one emoji.
 */
const LITERAL =
  /\p{RI}{2}|[#*0-9]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{EMod}]?(?:[\u{e0020}-\u{e007f}]+|(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]?)*)(?!\ufe0e)/gu;
/** Symbols and arrows below this code point are text unless a variation selector asks for the emoji. */
const FIRST_SYMBOL = 0x2600;
const MAY_CONTAIN_LITERALS = /[\u203c-\u3299\ud83c-\ud83e\u00a9\u00ae\u20e3]/;

/** Emoji for emoticons, for authors who have emoticons translated. */
const EMOTICONS: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};
/** An emoticon must be surrounded by white space or punctuation. */
const EMOTICON = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g;

/** Plugin: `:name:` for the organization's own and Unicode emoji. Unknown names stay text. */
export function namedEmoji(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'emoji', (inline, silent) => {
    if (inline.src[inline.pos] !== ':') return false;
    NAMED.lastIndex = inline.pos;
    const match = NAMED.exec(inline.src);
    if (!match || NAMED.lastIndex > inline.posMax) return false;

    const name = match[1]!;
    const custom =
      RenderState.of(inline).context.customEmoji(name) ??
      (name === EXTRA_EMOJI.name ? EXTRA_EMOJI : undefined);
    const code = codeOf(name);
    if (!custom && code === undefined) return false;
    if (!silent) {
      const token = inline.push('element', '', 0);
      if (custom) fillPicture(token, custom);
      else fillEmoji(token, code!, name);
    }
    inline.pos += match[0].length;
    return true;
  });
}

/** Converts text to tokens: emoticons such as `:)` and emoji characters become emoji. */
export function emoticonTokens(text: string, newToken: () => MarkdownIt.Token): MarkdownIt.Token[] {
  const tokens: MarkdownIt.Token[] = [];
  let end = 0;
  for (const match of text.matchAll(EMOTICON)) {
    const name = EMOTICONS[match[0]]!;
    if (match.index > end) tokens.push(...emojiTokens(text.slice(end, match.index), newToken));
    tokens.push(fillEmoji(newToken(), codeOf(name)!, name));
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push(...emojiTokens(text.slice(end), newToken));
  return tokens;
}

/** Converts text to tokens: emoji characters become elements, the rest stays text. */
export function emojiTokens(text: string, newToken: () => MarkdownIt.Token): MarkdownIt.Token[] {
  if (!MAY_CONTAIN_LITERALS.test(text)) return [textToken(text, newToken)];
  const tokens: MarkdownIt.Token[] = [];
  let end = 0;
  for (const match of text.matchAll(LITERAL)) {
    const code = literalCode(match[0]);
    const name = code === undefined ? undefined : canonicalName(code);
    if (code === undefined || name === undefined) continue;
    if (match.index > end) tokens.push(textToken(text.slice(end, match.index), newToken));
    tokens.push(fillEmoji(newToken(), code, name));
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push(textToken(text.slice(end), newToken));
  return tokens;
}

/** The emoji code of the characters; undefined if they are text that merely has an emoji presentation. */
function literalCode(characters: string): string | undefined {
  const asked = characters.includes('\ufe0f') || /\p{Emoji_Presentation}/u.test(characters);
  if (!asked && characters.codePointAt(0)! < FIRST_SYMBOL) return undefined;
  return Array.from(characters, (character) => character.codePointAt(0)!.toString(16).padStart(4, '0'))
    .filter((digits) => digits !== 'fe0f')
    .join('-');
}

function fillEmoji(token: MarkdownIt.Token, code: string, name: string): MarkdownIt.Token {
  const title = name.replaceAll('_', ' ');
  const attributes = { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title };
  return fillElement(token, 'span', attributes, `:${name}:`);
}

function fillPicture(token: MarkdownIt.Token, emoji: { name: string; url: string }): MarkdownIt.Token {
  const syntax = `:${emoji.name}:`;
  const title = emoji.name.replaceAll('_', ' ');
  return fillElement(token, 'img', { alt: syntax, class: 'emoji', src: emoji.url, title }, syntax);
}

function textToken(text: string, newToken: () => MarkdownIt.Token): MarkdownIt.Token {
  const token = newToken();
  token.content = text;
  return token;
}
