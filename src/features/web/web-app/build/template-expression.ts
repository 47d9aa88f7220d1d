/** What stands between double braces. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

const NAME = /^[A-Za-z_]\w*$/;
const CALL = /^(_|static)\(\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\)$/;

/** @returns null for what is not understood */
export function parseExpression(source: string): Expression | null {
  if (NAME.test(source)) return { kind: 'name', name: source };
  const [, called, single, double] = CALL.exec(source) ?? [];
  const argument = single ?? double ?? '';
  if (called === '_') return { kind: 'text', text: argument };
  return called === 'static' ? { kind: 'file', path: argument } : null;
}

/** A condition: a name, perhaps with `not` before it. @returns null for what is not understood */
export function parseCondition(source: string): { name: string; isNegated: boolean } | null {
  const [, not, name] = /^(not\s+)?([A-Za-z_]\w*)$/.exec(source) ?? [];
  return name === undefined ? null : { name, isNegated: not !== undefined };
}
