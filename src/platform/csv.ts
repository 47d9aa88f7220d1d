/** A row of a CSV file. */
export interface CsvRow {
  /** In which line of the file it begins, from 1. */
  readonly line: number;
  /** Without surrounding space. */
  readonly cells: readonly string[];
  /** False where a quoted cell has no end: it holds the rest of the file. */
  readonly isComplete: boolean;
}

/**
 * Reads a CSV file (RFC 4180). Cells are separated by commas, or by semicolons if the first line has one outside quotes.
 * Empty rows are left out.
 */
export function csvRows(given: string): CsvRow[] {
  const text = given.replace(/^\uFEFF/, '');
  const separator = /^(?:[^"\r\n;]|"[^"]*")*;/.test(text) ? ';' : ',';
  const rows: CsvRow[] = [];
  let [line, start, cell, isQuoted] = [1, 1, '', false];
  let cells: string[] = [];
  const endRow = () => {
    cells.push(cell.trim());
    if (cells.some((each) => each !== '')) rows.push({ line: start, cells, isComplete: !isQuoted });
    [cells, cell, start] = [[], '', line];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\n') line++;
    if (isQuoted && character === '"' && text[at + 1] === '"') cell += text[++at]!;
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += character;
    else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (character === '\n') endRow();
    else if (cell !== '' || character.trim() !== '') cell += character;
  }
  endRow();
  return rows;
}
