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
export function countedDefinitions(mayUse: (pieces: number) => boolean): Record<string, Meaning> {
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
