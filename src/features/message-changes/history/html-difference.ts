import { isFormula, splitAtFormulas } from '../../messages/messages.module';

/** Larger tables are not compared: everything between equal ends then counts as replaced. */
const MAX_CELLS = 100_000;

/** A tag, a word, or the characters between words. A formula is a word. */
const TOKEN = /<[^>]*>|[^\s<]+|\s+/g;

type Part = { readonly kind: 'same' | 'inserted' | 'deleted'; readonly tokens: readonly string[] };

/**
 * The HTML after an edit with added words highlighted, and removed ones reinserted and highlighted. The structure is
 * that of the new HTML; removed tags are left out. Changed link targets are shown.
 */
export function htmlDifference(before: string, after: string): string {
  const html = parts(tokensOf(before), tokensOf(after)).map(({ kind, tokens }) => {
    if (kind === 'same') return tokens.filter((token) => !token.startsWith(ADDRESS)).join('');
    const shown = kind === 'inserted' ? tokens : tokens.filter((token) => !isTag(token));
    return marked(shown, `highlight_text_${kind}`);
  });
  return `<div>${html.join('')}</div>`;
}

/** Prefix of a link's address, which is a separate token at the link's end, shown only if it changed. */
const ADDRESS = ' Link: ';

function tokensOf(html: string): string[] {
  const open: string[] = [];
  const tokens = splitAtFormulas(html).flatMap((part) =>
    isFormula(part) ? [part] : (part.match(TOKEN) ?? []),
  );
  return tokens.flatMap((token) => {
    if (/^<a[\s>]/.test(token)) open.push(/\shref="([^"]*)"/.exec(token)?.[1] ?? '');
    const address = token === '</a>' ? open.pop() : undefined;
    return address ? [ADDRESS + address, token] : [token];
  });
}

/** Highlights runs of text, but never tags. */
function marked(tokens: readonly string[], className: string): string {
  let html = '';
  let text = '';
  const flush = () => {
    html += text.trim() === '' ? text : `<span class="${className}">${text}</span>`;
    text = '';
  };
  for (const token of tokens) {
    if (isTag(token)) {
      flush();
      html += token;
    } else {
      text += token;
    }
  }
  flush();
  return html;
}

function isTag(token: string): boolean {
  return token.startsWith('<') && !isFormula(token);
}

function parts(before: readonly string[], after: readonly string[]): Part[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    { kind: 'same', tokens: before.slice(0, start) },
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    { kind: 'same', tokens: before.slice(before.length - end) },
  ];
}

/** Compares by the longest common subsequence of tokens. */
function middle(before: readonly string[], after: readonly string[]): Part[] {
  if (before.length * after.length > MAX_CELLS) {
    return [
      { kind: 'inserted', tokens: after },
      { kind: 'deleted', tokens: before },
    ];
  }
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const found: Part[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const here = row * width + column;
    if (row < before.length && column < after.length && before[row] === after[column]) {
      found.push({ kind: 'same', tokens: [before[row++] as string] });
      column++;
    } else if (
      column < after.length &&
      (row === before.length || (lengths[here + 1] as number) >= (lengths[here + width] as number))
    ) {
      found.push({ kind: 'inserted', tokens: [after[column++] as string] });
    } else {
      found.push({ kind: 'deleted', tokens: [before[row++] as string] });
    }
  }
  return joined(found);
}

/** For each pair of positions, the length of the longest common subsequence of the remaining tokens. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  return lengths;
}

/** Merges adjacent parts of the same kind. */
function joined(found: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of found) {
    const last = result.at(-1);
    if (last?.kind === part.kind)
      result[result.length - 1] = { ...last, tokens: last.tokens.concat(part.tokens) };
    else result.push(part);
  }
  return result;
}
