import * as ts from 'typescript';

/** A docstring for readers of the API description. */
export interface Docstring {
  /** The first sentence, without its full stop. */
  readonly summary: string;
  /** The whole text; empty if there is none. */
  readonly text: string;
}

/** References to documents that readers of the API description cannot access. */
const INTERNAL = /\s*\((?:see )?(?:spec|(?:[a-z]+ )?reference)[ ,][^)]*\)/g;

/** The docstring of a declaration. */
export function docstringOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): Docstring {
  const raw = symbol ? ts.displayPartsToString(symbol.getDocumentationComment(checker)) : '';
  const text = raw
    .replace(/\{@link (\w+)(?:\.\w+)?\}/g, '$1')
    .replace(INTERNAL, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const end = /\.(?=\s|$)/.exec(text);
  return { summary: end ? text.slice(0, end.index) : text, text };
}

/** Whether a declaration has a tag such as `@deprecated`. */
export function hasTag(symbol: ts.Symbol, tag: string): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === tag);
}
