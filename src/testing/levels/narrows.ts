import type { ChangePart } from './level-change';
import { isObject } from './records';

/** Where filters of messages are sent. */
const ROUTES = [
  'GET /messages',
  'GET /messages/matches_narrow',
  'POST /messages/flags/narrow',
  'POST /register',
];

/** Filters of messages did not know these operators, or operands as in `is:followed`, which are refused for what they are. */
export function newNarrowTerms(...terms: readonly string[]): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    const narrow = termsIn(parameters.get('narrow'));
    if (narrow?.some((term) => terms.includes(term.operator) || terms.includes(nameOf(term))))
      parameters.set('narrow', JSON.stringify(narrow.map((term) => asUnknown(term, terms))));
  };
  return { asks: Object.fromEntries(ROUTES.map((route) => [route, ask])) };
}

interface Term {
  readonly operator: string;
  readonly operand: unknown;
}

/** Null for what is no narrow, which is refused for what it is. */
function termsIn(text = ''): Term[] | null {
  try {
    const terms = JSON.parse(text) as unknown;
    return Array.isArray(terms) && terms.every(isTerm) ? terms.map(asTerm) : null;
  } catch {
    return null;
  }
}

function isTerm(term: unknown): boolean {
  const operator = Array.isArray(term) ? (term as unknown[])[0] : isObject(term) ? term['operator'] : null;
  return typeof operator === 'string';
}

function asTerm(term: unknown): Term {
  if (!Array.isArray(term)) return term as Term;
  const [operator, operand] = term as [string, unknown];
  return { operator, operand };
}

function nameOf({ operator, operand }: Term): string {
  return `${operator}:${String(operand)}`;
}

function asUnknown(term: Term, terms: readonly string[]): Term | [string, unknown] {
  if (terms.includes(term.operator)) return { ...term, operator: `${term.operator} (of a later release)` };
  return terms.includes(nameOf(term))
    ? { ...term, operand: `${String(term.operand)} (of a later release)` }
    : term;
}
