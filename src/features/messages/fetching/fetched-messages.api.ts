import { type HtmlPiece, readHtml, type Word, wordsOf } from './words';
import { phraseMatches, type SearchQuery } from './search';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import { escapeHtml } from '../markdown/sanitize';
import type { MessageWire } from '../store/message-records.api';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/**
 * Highlights the matches of a query in HTML written by the renderer. Only text is marked, so tags stay intact; a match
 * that spans two elements is marked in both, and a formula is marked as a whole.
 */
export function highlight(html: string, query: SearchQuery): string {
  const { pieces, text } = readHtml(html);
  const words = wordsOf(text);
  const { marked } = phraseMatches(
    words.map((word) => word.text),
    query,
  );
  if (marked.size === 0) return html;
  const found = words.filter((_, at) => marked.has(at));
  let next = 0;
  return pieces
    .map((piece) => {
      if (!piece.text) return piece.html;
      const end = piece.text.start + piece.text.text.length;
      while ((found[next]?.end ?? Infinity) <= piece.text.start) next++;
      let after = next;
      while ((found[after]?.start ?? Infinity) < end) after++;
      return markWords(piece, found.slice(next, after));
    })
    .join('');
}

/**
 * @param found in order; several may share a position, and the first and the last may extend into neighboring pieces
 */
function markWords({ html, text, isWhole }: HtmlPiece, found: readonly Word[]): string {
  if (!text || found.length === 0) return html;
  if (isWhole) return OPEN + html + CLOSE;
  const placeOf = (position: number) => {
    const within = Math.min(Math.max(position - text.start, 0), text.text.length);
    return text.places ? (text.places[within] ?? html.length) : within;
  };
  let marked = '';
  let done = 0;
  for (const word of found) {
    const from = placeOf(word.start);
    const to = placeOf(word.end);
    if (from < done || from >= to) continue;
    marked += html.slice(done, from) + OPEN + html.slice(from, to) + CLOSE;
    done = to;
  }
  return marked + html.slice(done);
}

/** Text and topic of a message as HTML, with the search matches highlighted. */
export interface MatchesWire {
  readonly match_content: string;
  readonly match_subject: string;
}

/**
 * @param subject as in the record
 * @param query null without a search
 */
export function matchesWire(
  renderedContent: string,
  subject: string,
  query: SearchQuery | null,
): MatchesWire {
  const mark = (html: string) => (query ? highlight(html, query) : html);
  return { match_content: mark(renderedContent), match_subject: mark(escapeHtml(subject)) };
}

/** A message with the reader's personal flags and, for a search, the matches. */
export type FetchedMessage = MessageWire & { readonly flags: readonly string[] } & Partial<MatchesWire>;

/** The response of `GET /messages`. */
export interface FetchedMessages {
  /** The anchor that was used; absent if messages were requested by ID. */
  readonly anchor?: number;
  readonly messages: RawJson<readonly FetchedMessage[]>;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: boolean;
}
