import { ROLE } from '../connection/records';

/** A person from a file, with the problem that prevents adding them; null if there is none. */
export interface NamedPerson {
  readonly line: number;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly problem: 'name' | 'email' | 'role' | 'twice' | 'known' | null;
}

/** Parses rows separated by commas or semicolons; quoted cells may contain both, and line breaks. */
function rowsOf(text: string): string[][] {
  const separator = /^[^"\n]*;/.test(text) ? ';' : ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let [cell, isQuoted] = ['', false];
  const endCell = () => {
    row.push(cell.trim());
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted && character === '"' && text[at + 1] === '"') cell += text[++at]!;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) endCell();
    else if (!isQuoted && character === '\n') endRow();
    else if (character !== '\r' && character !== '\uFEFF') cell += character;
  }
  endRow();
  return rows;
}

/**
 * Reads the people of a file: name, address and optionally role. A first line without an address is a header.
 * @param known addresses that are taken, in lower case
 */
export function peopleOf(text: string, known: ReadonlySet<string>): NamedPerson[] {
  const seen = new Set<string>();
  const isHeading = (row: readonly string[]) => !row.some((cell) => cell.includes('@'));
  return rowsOf(text).flatMap((row, index): NamedPerson[] => {
    if (index === 0 && isHeading(row)) return [];
    const email = row.find((cell) => cell.includes('@')) ?? '';
    const [name = '', role = ''] = row.filter((cell) => cell !== email);
    const key = email.toLowerCase();
    const wanted = role.toLowerCase() || 'member';
    const problem = !name
      ? 'name'
      : !/^[^@\s]+@[^@\s]+$/.test(email)
        ? 'email'
        : !Object.hasOwn(ROLE, wanted)
          ? 'role'
          : seen.has(key)
            ? 'twice'
            : known.has(key)
              ? 'known'
              : null;
    seen.add(key);
    return [{ line: index + 1, name, email, role: wanted, problem }];
  });
}
