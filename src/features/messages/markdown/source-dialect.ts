import type MarkdownIt from 'markdown-it';

/** An item of a list: its indentation, its mark, and the blanks after it. */
const ITEM = /^( *)([*+-]|\d{1,9}[.)])( +)(?=\S)/;
const FENCE = /^ *(`{3,}|~{3,})(.*)$/;
/** A cell of the line between the head of a table and its rows. */
const RULE_CELL = /^:?-+:?$/;
const LIST = /^ *(?:[*+-]|\d{1,9}[.)]) /m;

/**
 * Plugin: writes lists and tables of the dialect in the words of the parser. In the dialect, two blanks more nest an item under any other,
 * numbered ones too; items with `*`, `-` and `+` beside each other are one list; and a bar within code does not end a cell.
 */
export function sourceDialect(md: MarkdownIt): void {
  md.core.ruler.before('block', 'source_dialect', (state) => {
    if (LIST.test(state.src)) state.src = withAlignedItems(state.src.split('\n')).join('\n');
    if (state.src.includes('|') && state.src.includes('`'))
      state.src = withCellsOfCode(state.src.split('\n')).join('\n');
  });
}

interface Item {
  /** Blanks before the mark as the author wrote it. */
  readonly indent: number;
  /** Blanks before it as the parser is given it. */
  readonly column: number;
  readonly mark: string;
  /** Where its content begins, from `column`. */
  readonly width: number;
}

/** Moves nested items to where the parser looks for them, and gives neighbors one mark. */
function withAlignedItems(lines: readonly string[]): string[] {
  const open: Item[] = [];
  let fence = '';
  let isAfterBlank = false;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (indent === -1) {
      isAfterBlank = true;
      return line;
    }
    const [, marks = '', info = ''] = FENCE.exec(line) ?? [];
    const item = fence === '' && marks === '' ? ITEM.exec(line) : null;
    if (!item) {
      if (fence === '' && isAfterBlank) leave(open, indent);
      isAfterBlank = false;
      if (fence === '') fence = marks;
      else if (marks === fence && info.trim() === '') fence = '';
      const holder = open.findLast((each) => each.indent < indent);
      return holder ? `${' '.repeat(holder.column - holder.indent)}${line}` : line;
    }
    isAfterBlank = false;
    const [whole, , mark = '', blanks = ''] = item;
    const sibling = leave(open, indent);
    const parent = open.at(-1);
    const shift = parent ? parent.column - parent.indent : 0;
    const column = sibling?.column ?? Math.max(indent + shift, parent ? parent.column + parent.width : 0);
    const isBullet = mark.length === 1;
    const shownMark = sibling && isBullet && sibling.mark.length === 1 ? sibling.mark : mark;
    const width = mark.length + (blanks.length > 4 ? 1 : blanks.length);
    open.push({ indent, column, mark: shownMark, width });
    return `${' '.repeat(column)}${shownMark}${blanks}${line.slice(whole.length)}`;
  });
}

/**
 * Ends the items that a line so far to the left does not belong to.
 * @returns the one beside which it stands: less than two blanks tell them apart
 */
function leave(open: Item[], indent: number): Item | undefined {
  let sibling: Item | undefined;
  for (let last = open.at(-1); last && indent < last.indent + 2; last = open.at(-1)) {
    sibling = open.pop();
  }
  return sibling;
}

/** Escapes bars within code in the rows of tables, so that they stay in their cells. */
function withCellsOfCode(lines: readonly string[]): string[] {
  let isTable = false;
  let fence = '';
  return lines.map((line, at) => {
    const [, marks = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (marks === fence && info.trim() === '') fence = '';
      return line;
    }
    fence = marks;
    if (line.trim() === '' || marks !== '') isTable = false;
    else if (!isTable) isTable = isHead(line, lines[at + 1]);
    return isTable ? withEscapedBars(line) : line;
  });
}

/** Whether a line has as many cells as there are columns in the line under it. */
function isHead(line: string, rule: string | undefined): boolean {
  if (!rule?.includes('-') || !line.includes('|')) return false;
  const columns = cells(rule);
  return (
    columns.every((cell) => RULE_CELL.test(cell)) && cells(withEscapedBars(line)).length === columns.length
  );
}

/** What stands between the bars of a row, but for those that are escaped. */
function cells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** A row in which each bar between marks of code is escaped. */
function withEscapedBars(row: string): string {
  const marks = [...row.matchAll(/`+/g)];
  // Of each run of marks, the next one that is as long: found from behind, so that no part is looked at twice.
  const closing = new Map<number, number>();
  const newest = new Map<number, number>();
  for (let at = marks.length - 1; at >= 0; at -= 1) {
    const { length } = marks[at]![0];
    const next = newest.get(length);
    if (next !== undefined) closing.set(at, next);
    newest.set(length, at);
  }
  let text = '';
  let end = 0;
  for (let at = 0; at < marks.length; at += 1) {
    const close = closing.get(at);
    if (close === undefined) continue;
    const [from, to] = [marks[at]!.index, marks[close]!.index];
    text += row.slice(end, from) + row.slice(from, to).replace(/\\?\|/g, '\\|');
    end = to;
    at = close;
  }
  return text + row.slice(end);
}
