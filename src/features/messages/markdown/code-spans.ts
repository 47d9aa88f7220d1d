import type MarkdownIt from 'markdown-it';

/** The published types lack what the parser remembers of a text: where marks of each length were last seen. */
type Inline = MarkdownIt.StateInline & {
  readonly backticks: Record<number, number>;
  backticksScanned: boolean;
};

const BACKTICKS = /`+/g;

/** Plugin: code within a line, between marks of one length. Unlike in the parser's own rule, its blanks stay. */
export function codeSpans(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', (state, silent) => {
    const inline = state as Inline;
    const { src, pos, posMax } = inline;
    if (src[pos] !== '`') return false;
    const mark = marksAt(src, pos);
    const end = endOfCode(inline, pos, mark);
    if (end === undefined) {
      if (!silent) inline.pending += mark;
      inline.pos += mark.length;
      return true;
    }
    if (end + mark.length > posMax) return false;
    if (!silent) inline.push('code_inline', 'code', 0).content = src.slice(pos + mark.length, end);
    inline.pos = end + mark.length;
    return true;
  });
}

function marksAt(text: string, position: number): string {
  BACKTICKS.lastIndex = position;
  return BACKTICKS.exec(text)?.[0] ?? '';
}

/** Where the marks begin that close those at `start`. No part of a text is looked at again for marks of another length. */
function endOfCode(inline: Inline, start: number, mark: string): number | undefined {
  if (inline.backticksScanned && (inline.backticks[mark.length] ?? 0) <= start) return undefined;
  BACKTICKS.lastIndex = start + mark.length;
  for (let found = BACKTICKS.exec(inline.src); found; found = BACKTICKS.exec(inline.src)) {
    if (found[0].length === mark.length) return found.index;
    inline.backticks[found[0].length] = found.index;
  }
  inline.backticksScanned = true;
  return undefined;
}
