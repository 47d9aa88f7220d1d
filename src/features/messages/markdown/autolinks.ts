import type MarkdownIt from 'markdown-it';
import { isInsideLink } from './elements';
import { endOfUrl } from './urls';

const SCHEME_BEFORE = /(?<![\p{L}\p{N}_])(?:https?|ftp|mailto)$/iu;
const LONGEST_SCHEME = 'mailto'.length;
const LOCAL_PART_BEFORE = /[a-z0-9][a-z0-9_.+-]{0,63}$/i;
const DOMAIN = /(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,63}(?![a-z0-9])/iy;
const ADDRESS = /[a-z0-9][a-z0-9_.+-]{0,63}@/iy;
const HOST_START = /[\p{L}\p{N}[]/u;

/**
 * Plugin: addresses become links where they are typed. They are taken while parsing, since `*`, `_` or `:` within
 * an address mean nothing.
 */
export function autolinks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'url', url);
  md.inline.ruler.before('emphasis', 'email', email);
}

function url(inline: MarkdownIt.StateInline, silent: boolean): boolean {
  const { src, pos } = inline;
  if (src[pos] !== ':' || isInsideLink(inline)) return false;
  const scheme = SCHEME_BEFORE.exec(src.slice(Math.max(0, pos - LONGEST_SCHEME - 1), pos))?.[0];
  if (scheme === undefined) return false;
  const end = scheme.toLowerCase() === 'mailto' ? endOfMailto(inline) : endOfHierarchy(inline);
  if (end === undefined) return false;
  const start = pos - scheme.length;
  const text = src.slice(start, end);
  return pushLink(inline, silent, { begun: scheme, end, href: text, text });
}

/** A `ftp://` link needs a host; so does a web address. */
function endOfHierarchy({ src, pos, posMax }: MarkdownIt.StateInline): number | undefined {
  if (!src.startsWith('://', pos) || !HOST_START.test(src[pos + 3] ?? '')) return undefined;
  const end = endOfUrl(src, pos + 3, posMax);
  return end > pos + 3 ? end : undefined;
}

function endOfMailto({ src, pos, posMax }: MarkdownIt.StateInline): number | undefined {
  ADDRESS.lastIndex = pos + 1;
  if (!ADDRESS.test(src)) return undefined;
  return endOfDomain(src, ADDRESS.lastIndex, posMax);
}

function email(inline: MarkdownIt.StateInline, silent: boolean): boolean {
  const { src, pos } = inline;
  if (src[pos] !== '@' || isInsideLink(inline)) return false;
  const local = LOCAL_PART_BEFORE.exec(src.slice(Math.max(0, pos - 64), pos))?.[0];
  const end = endOfDomain(src, pos + 1, inline.posMax);
  if (local === undefined || end === undefined) return false;
  const address = src.slice(pos - local.length, end);
  return pushLink(inline, silent, { begun: local, end, href: `mailto:${address}`, text: address });
}

function endOfDomain(src: string, start: number, limit: number): number | undefined {
  DOMAIN.lastIndex = start;
  return DOMAIN.test(src) && DOMAIN.lastIndex <= limit ? DOMAIN.lastIndex : undefined;
}

/** An address that was found where it was typed. */
interface TypedAddress {
  /** What of it the parser has already taken for text. */
  readonly begun: string;
  /** Where it ends. */
  readonly end: number;
  readonly href: string;
  readonly text: string;
}

/** Makes it a link, unless the parser only asks whether it is one. */
function pushLink(
  inline: MarkdownIt.StateInline,
  silent: boolean,
  { begun, end, href, text }: TypedAddress,
): boolean {
  if (!silent) {
    if (!inline.pending.endsWith(begun)) return false;
    inline.pending = inline.pending.slice(0, -begun.length);
    const open = inline.push('link_open', 'a', 1);
    open.attrs = [['href', inline.md.normalizeLink(href)]];
    open.info = 'auto';
    inline.push('text', '', 0).content = text;
    inline.push('link_close', 'a', -1);
  }
  inline.pos = end;
  return true;
}
