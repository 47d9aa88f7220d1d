import type { LinkMatch, RenderContext } from './render-context';
import { TOP_LEVEL_DOMAINS } from './top-level-domains';

/** Schemes a link may have. None of them can run code or read local files. */
export const SAFE_SCHEMES =
  'http https ftp mailto tel sms sip xmpp irc matrix geo magnet ssh webcal obsidian zulip'.split(' ');

const BARE_DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[/?#]|$)/i;
const NOT_IN_URL = /[\s<>"`\p{Cc}]/u;
/** Punctuation that ends the sentence rather than the address. */
const TRAILING_PUNCTUATION = new Set("?!.,:;*_~'。，、；：！？");
const CLOSING: Record<string, string> = { '(': ')', '[': ']' };

/** True for the schemes above, and for paths and addresses without a scheme. */
export function isSafeUrl(url: string): boolean {
  if (/[\p{Cc}\\]/u.test(url) || url.startsWith('//')) return false;
  const beforeColon = /^([^:/?#]*):/.exec(url)?.[1];
  return beforeColon === undefined || SAFE_SCHEMES.includes(beforeColon.toLowerCase());
}

/** Where an address that starts at `start` ends: brackets opened in it may be closed in it, and no others. */
export function endOfUrl(text: string, start: number, limit = text.length): number {
  const open: string[] = [];
  let end = start;
  for (; end < limit; end++) {
    const character = text[end]!;
    if (NOT_IN_URL.test(character)) break;
    const closing = CLOSING[character];
    if (closing) open.push(closing);
    else if ((character === ')' || character === ']') && open.pop() !== character) break;
  }
  while (end > start && TRAILING_PUNCTUATION.has(text[end - 1]!)) end -= 1;
  return end;
}

/**
 * Makes the target of a link absolute where its host is named without a scheme, and relative where it is a view or an
 * uploaded file of this site: then it begins without a slash, as clients know it from Zulip.
 */
export function completeUrl(url: string, siteUrl: string): string {
  if (BARE_DOMAIN.test(url)) return `http://${url}`;
  const site = siteUrl.replace(/\/*$/, '/');
  if (!url.startsWith(site)) return url;
  const path = url.slice(site.length);
  return path.startsWith('#') || path.startsWith('user_uploads/') ? path : url;
}

/** The target of a link to an uploaded file from the root of the site, as pictures and players have it. */
export function fromRoot(url: string): string {
  return url.startsWith('user_uploads/') ? `/${url}` : url;
}

/** What stands after `/user_uploads/` in a link to an uploaded file; undefined for any other link. */
export function uploadPath(url: string): string | undefined {
  const path = /^\/?user_uploads\/([^?#]+)/.exec(url)?.[1];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether an address looks like that of a picture, by the ending of its path. */
export function isImageUrl(url: string): boolean {
  return /^[^?#]+\.(?:apng|avif|bmp|gif|heic|jpe?g|png|tiff?|webp)(?:[?#]|$)/i.test(url);
}

const URL_START = /(?<![\p{L}\p{N}_.@/-])(?:(?<scheme>https?:\/\/)|www\.)(?=[\p{L}\p{N}[])/giu;

/** A host without a scheme. A path may follow; what else follows must end the word. */
const BARE_HOST =
  /(?<![^\s'"(,:<])[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){1,20}(?=\/|[!:;?),.'">]{0,20}(?:\s|$))/gu;

/**
 * What becomes a link in plain text, by position: what the linkifiers match and addresses. Where matches overlap, the
 * earlier linkifier wins, and any linkifier over an address.
 *
 * @param bareScheme what is put before addresses that start with `www.`
 */
export function findLinks(
  text: string,
  linkifiers: RenderContext['linkifiers'],
  bareScheme: string,
): LinkMatch[] {
  const chosen: LinkMatch[] = [];
  for (const linkifier of linkifiers(text)) choose(chosen, linkifier.matches(text));
  choose(chosen, findUrls(text, bareScheme));
  choose(chosen, findBareHosts(text, bareScheme));
  return chosen;
}

/** Addresses such as `example.com/x`, by the top-level domain that their host ends in. */
function* findBareHosts(text: string, scheme: string): Iterable<LinkMatch> {
  if (!text.includes('.')) return;
  let after = 0;
  for (const match of text.matchAll(BARE_HOST)) {
    const start = match.index;
    const host = match[0];
    if (start < after || !TOP_LEVEL_DOMAINS.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase()))
      continue;
    const hostEnd = start + host.length;
    after = text[hostEnd] === '/' ? endOfUrl(text, hostEnd) : hostEnd;
    const url = text.slice(start, after);
    yield { start, end: after, text: url, url: `${scheme}${url}` };
  }
}

function* findUrls(text: string, bareScheme: string): Iterable<LinkMatch> {
  let after = 0;
  for (const match of text.matchAll(URL_START)) {
    const start = match.index;
    if (start < after) continue;
    after = endOfUrl(text, start);
    const url = text.slice(start, after);
    if (url.length > match[0].length) {
      yield { start, end: after, text: url, url: match.groups!.scheme ? url : `${bareScheme}${url}` };
    }
  }
}

/** Merges the matches, which come in order, into those chosen before, which stay in order. */
function choose(chosen: LinkMatch[], matches: Iterable<LinkMatch>): void {
  const earlier = chosen.splice(0);
  let next = 0;
  for (const match of matches) {
    if (match.end <= match.start || !isSafeUrl(match.url)) continue;
    while (next < earlier.length && earlier[next]!.end <= match.start) chosen.push(earlier[next++]!);
    const overlaps = next < earlier.length && earlier[next]!.start < match.end;
    if (!overlaps) chosen.push(match);
  }
  chosen.push(...earlier.slice(next));
}

/** The links in the name of a topic: linkifiers and addresses, by position. */
export function topicLinks(
  topic: string,
  linkifiers: RenderContext['linkifiers'],
): { text: string; url: string }[] {
  return findLinks(topic, linkifiers, 'https://').map(({ text, url }) => ({ text, url }));
}
