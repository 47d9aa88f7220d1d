import type { ChangePart } from './level-change';
import { isObject } from './records';

/** Requests with narrows. */
const ROUTES = [
  'GET /messages',
  'GET /messages/matches_narrow',
  'POST /messages/flags/narrow',
  'POST /register',
];

/** Marks narrow operators, or operands as in `is:followed`, that did not exist; they are refused as unknown. */
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

/** Null if it is not a narrow; the server refuses it. */
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
