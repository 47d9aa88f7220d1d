import type { Engine, SqlValue } from './queryable';

/** A statement as the driver of one engine takes it. */
export interface DriverStatement {
  readonly text: string;
  readonly values: unknown[];
}

interface Translated {
  readonly text: string;
  /** For each placeholder, whether it stands for a whole list. */
  readonly lists: readonly boolean[];
}

/** String literals, quoted names and comments are matched first, so that a `?` in them is left alone. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(not\s+)?in\s*\(\s*\?\s*\)|\blimit\s+\?|\?/gi;

/** Statements come from source code, so they are few; the limit only bounds a mistake. */
const MAX_KEPT = 2_000;

const kept: Record<Engine, Map<string, Translated>> = { sqlite: new Map(), postgres: new Map() };

/**
 * Puts a statement with `?` placeholders into the words of an engine. A list is one parameter on both,
 * which keeps the statement's text, and so its prepared form, the same for every length, the empty list
 * included.
 * @throws {TypeError} when the values do not fit the placeholders
 */
export function toDriver(engine: Engine, sql: string, parameters: readonly SqlValue[]): DriverStatement {
  const { text, lists } = translate(engine, sql);
  if (lists.length !== parameters.length) {
    throw new TypeError(`${parameters.length} values for ${lists.length} placeholders in: ${sql}`);
  }
  const values = parameters.map((value, at) => {
    if (isList(value) !== lists[at]) {
      throw new TypeError(`A list belongs into IN (?) and nothing else does, in: ${sql}`);
    }
    return engine === 'sqlite' ? toSqlite(value) : value;
  });
  return { text, values };
}

function translate(engine: Engine, sql: string): Translated {
  const found = kept[engine].get(sql);
  if (found) return found;
  const lists: boolean[] = [];
  const text = sql.replace(TOKENS, (token: string, not: string | undefined) => {
    const isWholeLimit = /^limit\s/i.test(token);
    if (token === '?' || isWholeLimit) {
      lists.push(false);
      if (engine === 'postgres') return token.replace('?', `$${lists.length}`);
      // SQLite plans with the value of a parameter that is a whole LIMIT, and so compiles the statement anew
      // at each call; the sum hides the parameter.
      return isWholeLimit ? `${token} + 0` : token;
    }
    if (!/^(not\s|in\b)/i.test(token)) return token;
    lists.push(true);
    if (engine === 'sqlite') return `${not ?? ''}IN (SELECT value FROM json_each(?))`;
    return not === undefined ? `= ANY ($${lists.length})` : `<> ALL ($${lists.length})`;
  });
  const translated = { text, lists };
  if (kept[engine].size >= MAX_KEPT) kept[engine].clear();
  kept[engine].set(sql, translated);
  return translated;
}

function isList(value: SqlValue): value is readonly (string | number)[] {
  return Array.isArray(value);
}

function toSqlite(value: SqlValue): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return isList(value) ? JSON.stringify(value) : value;
}
