import { endOfFormula } from './typeset-check';

/** A piece of a source, as KaTeX reads it. */
interface Piece {
  readonly text: string;
}

/** What a source gave a name. The last piece comes first. */
interface Definition {
  readonly tokens: readonly Piece[];
  readonly numArgs: number;
  readonly delimiters?: readonly (readonly string[])[];
  /** Says what another name says. */
  readonly unexpandable?: boolean;
}

/** What KaTeX knows a name by. */
type Meaning = string | object | ((expander: object) => string | object);

/** What of KaTeX puts definitions in the place of their names. */
interface Expander {
  consumeArgs(count: number, delimiters?: readonly (readonly string[])[]): readonly (readonly Piece[])[];
}

/**
 * Where KaTeX keeps what a source defines. The source may use that again and again, and each time with a long text in many
 * places, so that what counts is what comes of it.
 * @param mayUse whether so many pieces more may come of definitions, which then count as used
 */
function countedDefinitions(mayUse: (pieces: number) => boolean): Record<string, Meaning> {
  return new Proxy<Record<string, Meaning>>(
    {},
    {
      set: (kept, name: string, meaning: Meaning) => {
        kept[name] = isDefinition(meaning) ? counted(meaning, mayUse) : meaning;
        return true;
      },
    },
  );
}

function isDefinition(meaning: Meaning): meaning is Definition {
  return typeof meaning === 'object' && 'tokens' in meaning && !('unexpandable' in meaning);
}

function counted(definition: Definition, mayUse: (pieces: number) => boolean): Meaning {
  const { tokens, numArgs, delimiters } = definition;
  return (expander): Definition => {
    const texts = (expander as Expander).consumeArgs(numArgs, delimiters);
    const result = numArgs === 0 ? [tokens] : filled(tokens, texts);
    const length = result.reduce((sum, { length: own }) => sum + own, 0);
    if (!mayUse(Math.max(1, length))) throw new Error('Expanded definitions too large');
    return { tokens: result.flat(), numArgs: 0 };
  };
}

/** A definition with texts in the places that wait for them. */
function filled(tokens: readonly Piece[], texts: readonly (readonly Piece[])[]): (readonly Piece[])[] {
  const result: (readonly Piece[])[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.text !== '#') result.push([token]);
    else {
      const next = tokens[--at];
      // Two signs stand for one.
      const text = next?.text === '#' ? [next] : texts[Number(next?.text) - 1];
      if (!text) throw new Error('A definition has no such argument');
      result.push(text);
    }
  }
  return result.reverse();
}

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

/** How the HTML of every formula begins. */
export const FORMULA = '<span class="katex">';

const SPAN = /<(\/?)span\b/g;
const SOURCE_START = '<annotation encoding="application/x-tex">';
const SOURCE_END = '</annotation>';

/** Whether a part of {@link splitAtFormulas} is a formula. */
export function isFormula(part: string): boolean {
  return part.startsWith(FORMULA);
}

/** Where the formula that begins at `start` ends, in HTML that was found to be safe. */
export function formulaEnd(html: string, start: number): number {
  let depth = 0;
  for (SPAN.lastIndex = start; ;) {
    const tag = SPAN.exec(html);
    if (!tag) return html.length;
    depth += tag[1] === '' ? 1 : -1;
    if (depth === 0) return html.indexOf('>', tag.index) + 1;
  }
}

/** The source of a formula, as it is escaped in its HTML: what stands for it wherever there is text alone. */
export function formulaSource(html: string): string {
  const start = html.indexOf(SOURCE_START) + SOURCE_START.length;
  return html.slice(start, html.indexOf(SOURCE_END, start));
}

/** HTML in parts: formulas, and what stands between them. */
export function splitAtFormulas(html: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (let start = html.indexOf(FORMULA); start >= 0; start = html.indexOf(FORMULA, end)) {
    parts.push(html.slice(end, start));
    end = formulaEnd(html, start);
    parts.push(html.slice(start, end));
  }
  parts.push(html.slice(end));
  return parts.filter((part) => part !== '');
}
