import { countedDefinitions } from './formula-definitions';
import { endOfFormula } from './formula-check';

/** What the formulas of one message may cost together, in characters of their source. */
const MAX_WEIGHT = 2_500;
/** The length of the HTML of the formulas of one message. */
const MAX_HTML = 150_000;
const MAX_EXPANSIONS = 1_000;
/** In em: nothing is drawn larger, whatever the source asks for. */
const MAX_SIZE = 20;

/** Cells of tables, arrows of diagrams, primes, and characters that fonts for formulas lack take several times as long. */
const DEAR = /[&@']|[^\0-\x7f]/g;
const WEIGHT_OF_DEAR = 4;
/** The names of TeX are drawn letter by letter. */
const NAMES_OF_TEX = /\\(?:La|Ka)?TeX/g;
const WEIGHT_OF_NAME = 16;
/** What even the shortest costs: a message has some hundred of them. */
const WEIGHT_OF_EACH = 20;

/** What is left for the formulas of one message. */
export class FormulaBudget {
  /** The HTML that was written. */
  htmlWritten = 0;
  private weight = 0;

  /** Whether so much more source may be typeset, which then counts as done. */
  mayTypeset(weight: number): boolean {
    if (this.weight + weight > MAX_WEIGHT) return false;
    this.weight += weight;
    return true;
  }

  /** Whether so much more HTML may be written, which then counts as written. */
  mayWrite(characters: number): boolean {
    if (this.htmlWritten + characters > MAX_HTML) return false;
    this.htmlWritten += characters;
    return true;
  }
}

/**
 * The HTML of a formula, with MathML that holds its source; null where the source is not understood, or the budget does
 * not reach.
 */
export function formula(source: string, isDisplayed: boolean, budget: FormulaBudget): string | null {
  const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0;
  const dear = count(DEAR) * (WEIGHT_OF_DEAR - 1) + count(NAMES_OF_TEX) * (WEIGHT_OF_NAME - 1);
  const weight = WEIGHT_OF_EACH + source.length + dear;
  if (!budget.mayTypeset(weight)) return null;
  const html = typeset(source, isDisplayed, budget);
  if (html === null || endOfFormula(html, 0) !== html.length) return null;
  return budget.mayWrite(html.length) ? html : null;
}

function typeset(source: string, isDisplayed: boolean, budget: FormulaBudget): string | null {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- it takes several MiB, and few ever need it
  const { renderToString } = require('katex') as typeof import('katex').default;
  try {
    const html = silently(() =>
      renderToString(source, {
        displayMode: isDisplayed,
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxSize: MAX_SIZE,
        maxExpand: MAX_EXPANSIONS,
        macros: countedDefinitions((tokens) => budget.mayTypeset(tokens)),
      }),
    );
    return html.replaceAll(' class ="', ' class="');
  } catch {
    // Besides sources that are not understood, those that are nested too deeply or use definitions too much.
    return null;
  }
}

const METHODS = ['error', 'info', 'log', 'warn'] as const;

/** KaTeX writes to the console what it has no measures of, and what a source wants shown. */
function silently<T>(work: () => T): T {
  const { console } = globalThis;
  const kept = METHODS.map((method) => [method, Reflect.get(console, method) as unknown] as const);
  for (const method of METHODS) console[method] = () => {};
  try {
    return work();
  } finally {
    for (const [method, write] of kept) Reflect.set(console, method, write);
  }
}
