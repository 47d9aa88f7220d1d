import { MAX_CONTENT_LENGTH } from '../../../messages/messages.module';

/** Leaves room for upload paths and user IDs, which grow when they are rewritten. */
const LONGEST = MAX_CONTENT_LENGTH - 1000;

/** Preferred places to cut, best first. */
const ENDS = ['\n\n', '\n', ' '];

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*$/gm;

/** Splits a text into parts that fit into a message, between paragraphs, lines or words. Reopens a split code block. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > LONGEST) {
    const cut = cutWithin(rest);
    const part = rest.slice(0, cut).trimEnd();
    const fence = openFence(part);
    parts.push(fence === null ? part : `${part}\n${fence.mark}`);
    rest = (fence === null ? '' : `${fence.line}\n`) + rest.slice(cut).replace(/^\n+/, '');
  }
  return [...parts, rest];
}

function cutWithin(text: string): number {
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, LONGEST - end.length);
    if (at > LONGEST / 2) return at + end.length;
  }
  // Never within a surrogate pair.
  return /[\ud800-\udbff]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
}

/** The opening fence of an unclosed code block at the end of a text; null if none. */
function openFence(text: string): { readonly line: string; readonly mark: string } | null {
  let open: { readonly line: string; readonly mark: string } | null = null;
  for (const [line, mark = ''] of text.matchAll(FENCE)) {
    if (open === null) open = { line: line.slice(0, 100), mark };
    else if (mark.startsWith(open.mark) && line.trim() === mark) open = null;
  }
  return open;
}
