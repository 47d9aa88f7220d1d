import { ROLE_NAMES, type RoleName } from '../../../platform/actor';
import { csvRows } from '../../../platform/csv';

/** A person of a list, in one line of the file. */
export interface ListedPerson {
  readonly line: number;
  readonly email: string;
  readonly name: string;
  readonly role: RoleName;
  /** Names. */
  readonly channels: readonly string[];
  readonly groups: readonly string[];
}

/** What is wrong with a line of the file. */
export interface ListProblem {
  readonly line: number;
  readonly problem: string;
}

const COLUMNS = ['email', 'name', 'role', 'channels', 'groups'] as const;
type Column = (typeof COLUMNS)[number];

/** Separates names within a cell. */
const BETWEEN_NAMES = '|';

/** Reads a list of people. Every problem is reported, so that one correction of the file can be enough. */
export function readPeopleList(text: string): { people: ListedPerson[]; problems: ListProblem[] } {
  const [header, ...rows] = csvRows(text);
  const titles = (header?.cells ?? []).map((title) => title.toLowerCase());
  const problems: ListProblem[] = headerProblems(titles).map((problem) => ({
    line: header?.line ?? 1,
    problem,
  }));
  if (problems.length > 0) return { people: [], problems };
  const people = rows.flatMap(({ line, cells, isComplete }): ListedPerson[] => {
    const cell = (column: Column) => cells[titles.indexOf(column)] ?? '';
    const names = (column: Column) =>
      cell(column)
        .split(BETWEEN_NAMES)
        .map((name) => name.trim())
        .filter((name) => name !== '');
    const role = cell('role').toLowerCase() || 'member';
    const problem = !isComplete
      ? 'A quotation mark is not closed.'
      : cells.length > titles.length
        ? `It has ${cells.length} cells, and the first line ${titles.length}.`
        : isRole(role)
          ? null
          : `The role must be one of ${ROLE_NAMES.join(', ')}.`;
    if (problem === null && isRole(role)) {
      const [email, name] = [cell('email'), cell('name')];
      return [{ line, email, name, role, channels: names('channels'), groups: names('groups') }];
    }
    problems.push({ line, problem: problem ?? '' });
    return [];
  });
  return { people, problems };
}

function headerProblems(titles: readonly string[]): string[] {
  const unknown = titles.filter((title) => !(COLUMNS as readonly string[]).includes(title));
  return [
    ...unknown.map((title) => `There is no column "${title}". The columns are ${COLUMNS.join(', ')}.`),
    ...COLUMNS.filter((column) => titles.indexOf(column) !== titles.lastIndexOf(column)).map(
      (column) => `There are two columns "${column}".`,
    ),
    ...(['email', 'name'] as const)
      .filter((column) => !titles.includes(column))
      .map((column) => `The column "${column}" is missing. The first line names the columns.`),
  ];
}

function isRole(text: string): text is RoleName {
  return (ROLE_NAMES as readonly string[]).includes(text);
}
