/** A text and its selection. */
interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A replacement of a part of the text, and the new selection. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly select: readonly [number, number];
}

const MARKS = { bold: '**', italic: '*', strike: '~~', code: '`' } as const;

/** Formats of a selection. */
export type Format = keyof typeof MARKS | 'link' | 'quote' | 'bullets' | 'numbers' | 'spoiler';

/** Applies a format to the selection, or removes it if it is already applied. */
export function formatted(format: Format, selected: Selected): Replacement {
  switch (format) {
    case 'link':
      return linked(selected);
    case 'quote':
      return fenced('quote', '', selected);
    case 'spoiler':
      return fenced('spoiler', ' Header', selected);
    case 'bullets':
    case 'numbers':
      return listed(format, selected);
    case 'code':
      return chosenOf(selected).includes('\n') ? fenced('', '', selected) : marked(MARKS.code, selected);
    case 'bold':
    case 'italic':
    case 'strike':
      return marked(MARKS[format], selected);
  }
}

const chosenOf = ({ text, start, end }: Selected) => text.slice(start, end);

/** Whether a text ends with a mark: two asterisks are bold, one or three are italic. */
function endsWithMark(text: string, mark: string): boolean {
  if (!mark.startsWith('*')) return text.endsWith(mark);
  const stars = /\**$/.exec(text)![0].length;
  return mark === '*' ? stars % 2 === 1 : stars >= 2;
}

const backwards = (text: string) => [...text].reverse().join('');

function marked(mark: string, selected: Selected): Replacement {
  const { text, start, end } = selected;
  const size = mark.length;
  const chosen = chosenOf(selected);
  if (endsWithMark(text.slice(0, start), mark) && endsWithMark(backwards(text.slice(end)), mark)) {
    return { from: start - size, to: end + size, text: chosen, select: [start - size, end - size] };
  }
  const isMarked =
    chosen.length > 2 * size && endsWithMark(chosen, mark) && endsWithMark(backwards(chosen), mark);
  if (isMarked) {
    const bare = chosen.slice(size, -size);
    return { from: start, to: end, text: bare, select: [start, start + bare.length] };
  }
  // Marks next to a space have no effect.
  const from = start + (chosen.length - chosen.trimStart().length);
  const to = Math.max(from, end - (chosen.length - chosen.trimEnd().length));
  const bare = text.slice(from, to);
  return { from, to, text: mark + bare + mark, select: [from + size, from + size + bare.length] };
}

const ADDRESS = /^(https?:\/\/|mailto:)\S+$/;

function linked(selected: Selected): Replacement {
  const { start: from, end: to } = selected;
  const chosen = chosenOf(selected);
  if (ADDRESS.test(chosen)) return { from, to, text: `[](${chosen})`, select: [from + 1, from + 1] };
  const at = from + chosen.length + 3;
  return { from, to, text: `[${chosen}](url)`, select: [at, at + 3] };
}

/** Turns the selected words into a link to a pasted URL; null if either does not qualify. */
export function linkedTo(address: string, selected: Selected): Replacement | null {
  const { start: from, end: to } = selected;
  const chosen = chosenOf(selected);
  if (chosen.trim() === '' || /[\n[\]]/.test(chosen) || ADDRESS.test(chosen)) return null;
  if (!ADDRESS.test(address.trim())) return null;
  const text = `[${chosen}](${address.trim()})`;
  return { from, to, text, select: [from + text.length, from + text.length] };
}

function fenced(kind: string, header: string, selected: Selected): Replacement {
  const { text, start, end } = selected;
  const chosen = chosenOf(selected);
  const opening = `\`\`\`${kind}`;
  const before = text.slice(0, start);
  const lastLine = before.slice(before.lastIndexOf('\n', start - 2) + 1);
  if (lastLine.startsWith(opening) && lastLine.endsWith('\n') && /^\n```(\n|$)/.test(text.slice(end))) {
    const from = start - lastLine.length;
    const to = end + 4;
    return { from, to, text: chosen, select: [from, from + chosen.length] };
  }
  const isLineStart = start === 0 || before.endsWith('\n');
  const isLineEnd = end === text.length || text[end] === '\n';
  const head = `${isLineStart ? '' : '\n'}${opening}${header}\n`;
  const made = `${head}${chosen}\n\`\`\`${isLineEnd ? '' : '\n'}`;
  const at = start + head.length;
  return {
    from: start,
    to: end,
    text: made,
    select: header ? [at - header.length, at - 1] : [at, at + chosen.length],
  };
}

const ITEM = /^(\s*)([-*+]|\d+\.) /;

function listed(format: 'bullets' | 'numbers', { text, start, end }: Selected): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isThere = (line: string) => {
    const mark = ITEM.exec(line)?.[2];
    return mark !== undefined && /\d/.test(mark) === (format === 'numbers');
  };
  const isWhole = lines.every(isThere);
  const made = lines
    .map((line, index) => {
      const bare = line.replace(ITEM, '$1');
      if (isWhole) return bare;
      return format === 'numbers' ? `${index + 1}. ${bare}` : `* ${bare}`;
    })
    .join('\n');
  const at = from + made.length;
  return { from, to, text: made, select: start === end ? [at, at] : [from, at] };
}

/** Continues a list or quotation on a new line; ends it after an empty item. Null outside of both. */
export function continued({ text, start, end }: Selected): Replacement | null {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(from, start);
  const mark = /^\s*([-*+] |(\d{1,6})\. |> )/.exec(line);
  if (!mark || start !== end) return null;
  if (mark[0] === line) return { from, to: end, text: '', select: [from, from] };
  const number = mark[2];
  const next = number ? mark[0].replace(number, String(Number(number) + 1)) : mark[0];
  const at = end + 1 + next.length;
  return { from: end, to: end, text: `\n${next}`, select: [at, at] };
}

/** Changes a text in a way that the browser can undo. */
export function replaceIn(area: HTMLTextAreaElement, { from, to, text, select }: Replacement): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (from !== to || text !== '') {
    // Browsers can undo no other kind of scripted change.
    const isDone = document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
    if (!isDone) {
      area.setRangeText(text, from, to, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  area.setSelectionRange(...select);
}
