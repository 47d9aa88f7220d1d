import { readHtml, type HtmlPiece } from './html-text';
import { phraseMatches, type SearchQuery } from './search-query';
import { wordsOf, type Word } from './words';

const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/**
 * Marks what a query found in HTML as the renderer writes it. Only text is marked, so tags stay as they are;
 * what goes on in another element is marked in both, and a formula is marked as a whole.
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

/** @param found in order; several may be at the same place, and the first and the last may reach into neighbors */
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
