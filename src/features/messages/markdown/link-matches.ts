import type { LinkMatch, RenderContext } from './render-context';
import { endOfUrl, isSafeUrl } from './urls';

const URL_START = /(?<![\p{L}\p{N}_.@/-])(?:(?<scheme>https?:\/\/)|www\.)(?=[\p{L}\p{N}[])/giu;

/**
 * What becomes a link in plain text, by position: what the linkifiers match and addresses. Where matches overlap, the
 * earlier linkifier wins, and any linkifier over an address (groups reference 10.5).
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
  return chosen;
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
