import { MAX_CONTENT_LENGTH } from '../../messages/messages.module';

/** Leaves room for the addresses of files and the numbers of people, which become longer here. */
const LONGEST = MAX_CONTENT_LENGTH - 1000;

/** Nearest to the end that a part may end at, behind each of these. */
const ENDS = ['\n\n', '\n', ' '];

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*$/gm;

/** A text in parts that each fit into a message, cut between paragraphs, lines or words. Code stays code in all of them. */
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
  // Between the two halves of a character it would be none.
  return /[\ud800-\udbff]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
}

/** The line that begins the code in which a text ends; null where it does not. */
function openFence(text: string): { readonly line: string; readonly mark: string } | null {
  let open: { readonly line: string; readonly mark: string } | null = null;
  for (const [line, mark = ''] of text.matchAll(FENCE)) {
    if (open === null) open = { line: line.slice(0, 100), mark };
    else if (mark.startsWith(open.mark) && line.trim() === mark) open = null;
  }
  return open;
}
