import { endOfFormula } from './typeset-check';

/** A token of the source as KaTeX reads it. */
interface Piece {
  readonly text: string;
}

/** The definition of a macro in a source. The tokens are in reverse order. */
interface Definition {
  readonly tokens: readonly Piece[];
  readonly numArgs: number;
  readonly delimiters?: readonly (readonly string[])[];
  /** Set if the definition is an alias of another one. */
  readonly unexpandable?: boolean;
}

/** The values that KaTeX accepts as the meaning of a macro. */
type Meaning = string | object | ((expander: object) => string | object);

/** The part of KaTeX that expands macros. */
interface Expander {
  consumeArgs(count: number, delimiters?: readonly (readonly string[])[]): readonly (readonly Piece[])[];
}

/**
 * The object in which KaTeX stores macros that a source defines. A source may use a macro repeatedly, and each time
 * with a long argument in many places, so the size of the expansion is what counts.
 * @param mayUse whether expansions may produce this many more tokens; if so, they are charged
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

/** A definition with its arguments filled in. */
function filled(tokens: readonly Piece[], texts: readonly (readonly Piece[])[]): (readonly Piece[])[] {
  const result: (readonly Piece[])[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.text !== '#') result.push([token]);
    else {
      const next = tokens[--at];
      // A doubled `#` is a literal one.
      const text = next?.text === '#' ? [next] : texts[Number(next?.text) - 1];
      if (!text) throw new Error('A definition has no such argument');
      result.push(text);
    }
  }
  return result.reverse();
}

/** The budget for all formulas of one message, in characters of their source. */
const MAX_WEIGHT = 2_500;
/** Maximum length of the HTML of all formulas of one message. */
const MAX_HTML = 150_000;
const MAX_EXPANSIONS = 1_000;
/** In em: nothing is drawn larger, whatever the source asks for. */
const MAX_SIZE = 20;

/** Table cells, arrows of diagrams, primes, and characters missing from the math fonts take several times as long. */
const DEAR = /[&@']|[^\0-\x7f]/g;
const WEIGHT_OF_DEAR = 4;
/** The logos of TeX are drawn letter by letter. */
const NAMES_OF_TEX = /\\(?:La|Ka)?TeX/g;
const WEIGHT_OF_NAME = 16;
/** The minimum cost of a formula, which allows about a hundred per message. */
const WEIGHT_OF_EACH = 20;

/** The remaining budget for the formulas of one message. */
export class FormulaBudget {
  /** Characters of HTML written so far. */
  htmlWritten = 0;
  private weight = 0;

  /** Whether this much more source may be typeset; if so, it is charged. */
  mayTypeset(weight: number): boolean {
    if (this.weight + weight > MAX_WEIGHT) return false;
    this.weight += weight;
    return true;
  }

  /** Whether this much more HTML may be written; if so, it is charged. */
  mayWrite(characters: number): boolean {
    if (this.htmlWritten + characters > MAX_HTML) return false;
    this.htmlWritten += characters;
    return true;
  }
}

/** The HTML of a formula, including MathML with its source; null if the source is invalid or exceeds the budget. */
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
    // Besides invalid sources, this covers formulas that are nested too deeply or expand too much.
    return null;
  }
}

const METHODS = ['error', 'info', 'log', 'warn'] as const;

/**
 * Runs `work` with the console muted: KaTeX logs characters without metrics, and whatever a source asks it to print.
 */
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

/** The start of every formula's HTML. */
export const FORMULA = '<span class="katex">';

const SPAN = /<(\/?)span\b/g;
const SOURCE_START = '<annotation encoding="application/x-tex">';
const SOURCE_END = '</annotation>';

/** Whether a part of {@link splitAtFormulas} is a formula. */
export function isFormula(part: string): boolean {
  return part.startsWith(FORMULA);
}

/** The end of the formula that begins at `start`, in HTML that was found to be safe. */
export function formulaEnd(html: string, start: number): number {
  let depth = 0;
  for (SPAN.lastIndex = start; ;) {
    const tag = SPAN.exec(html);
    if (!tag) return html.length;
    depth += tag[1] === '' ? 1 : -1;
    if (depth === 0) return html.indexOf('>', tag.index) + 1;
  }
}

/** The source of a formula, still escaped for HTML: its representation in plain text. */
export function formulaSource(html: string): string {
  const start = html.indexOf(SOURCE_START) + SOURCE_START.length;
  return html.slice(start, html.indexOf(SOURCE_END, start));
}

/** Splits HTML into formulas and the text between them. */
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
