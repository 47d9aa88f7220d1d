import type MarkdownIt from 'markdown-it';

/** A list item: its indentation, its marker, and the spaces after it. */
const ITEM = /^( *)([*+-]|\d{1,9}[.)])( +)(?=\S)/;
const FENCE = /^ *(`{3,}|~{3,})(.*)$/;
/** A cell of the delimiter row of a table. */
const RULE_CELL = /^:?-+:?$/;
const LIST = /^ *(?:[*+-]|\d{1,9}[.)]) /m;

/**
 * Plugin: translates lists and tables of Zulip's dialect to what the parser expects. In the dialect, two more spaces
 * nest an item under any other, including numbered ones; adjacent items with `*`, `-` and `+` form one list; and a bar
 * within code does not end a cell.
 */
export function sourceDialect(md: MarkdownIt): void {
  md.core.ruler.before('block', 'source_dialect', (state) => {
    if (LIST.test(state.src)) state.src = withAlignedItems(state.src.split('\n')).join('\n');
    if (state.src.includes('|') && state.src.includes('`'))
      state.src = withCellsOfCode(state.src.split('\n')).join('\n');
  });
}

interface Item {
  /** Spaces before the marker in the source. */
  readonly indent: number;
  /** Spaces before the marker as passed to the parser. */
  readonly column: number;
  readonly mark: string;
  /** Offset of its content from `column`. */
  readonly width: number;
}

/** Indents nested items as the parser expects, and gives adjacent items the same marker. */
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
 * Closes the items to which a line with this indentation does not belong.
 * @returns the item of the same level: a difference of less than two spaces does not count
 */
function leave(open: Item[], indent: number): Item | undefined {
  let sibling: Item | undefined;
  for (let last = open.at(-1); last && indent < last.indent + 2; last = open.at(-1)) {
    sibling = open.pop();
  }
  return sibling;
}

/** Escapes bars within code in table rows, so that they stay in their cells. */
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

/** Whether a line has as many cells as the line below it has columns. */
function isHead(line: string, rule: string | undefined): boolean {
  if (!rule?.includes('-') || !line.includes('|')) return false;
  const columns = cells(rule);
  return (
    columns.every((cell) => RULE_CELL.test(cell)) && cells(withEscapedBars(line)).length === columns.length
  );
}

/** The texts between the unescaped bars of a row. */
function cells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** Escapes each bar between backticks in a row. */
function withEscapedBars(row: string): string {
  const marks = [...row.matchAll(/`+/g)];
  // For each run of backticks, the next run of the same length; computed backwards to visit each part once.
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
