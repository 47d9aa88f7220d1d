import type MarkdownIt from 'markdown-it';
import { formula } from '../typesetting/formulas';
import { RenderState } from './render-context';

/** What stands between the marks: not empty, in one line, where a dollar sign has a backslash before it. */
const INLINE = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)/y;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Plugin: formulas, `$$x^2$$` within a line, or in a block of their own. Those that are not understood show their source. */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'math', (inline, silent) => {
    const { src, pos } = inline;
    if (src[pos] !== '$' || src[pos - 1] === '$' || WORD_CHARACTER.test(src[pos - 1] ?? '')) return false;
    INLINE.lastIndex = pos;
    const match = INLINE.exec(src);
    if (!match || INLINE.lastIndex > inline.posMax) return false;
    if (WORD_CHARACTER.test(src[INLINE.lastIndex] ?? '')) return false;
    if (!silent) inline.push('math', 'span', 0).content = match[1]!;
    inline.pos += match[0].length;
    return true;
  });
  const mistaken = (source: string) => `<span class="tex-error">${md.utils.escapeHtml(source)}</span>`;
  md.renderer.rules.math = (tokens, index, _options, env) => {
    const source = tokens[index]!.content;
    return formula(source, false, RenderState.of({ env }).formulaBudget) ?? mistaken(`$$${source}$$`);
  };
  md.renderer.rules.math_block = (tokens, index, _options, env) => {
    const budget = RenderState.of({ env }).formulaBudget;
    const parts = partsOf(tokens[index]!.content).map(
      (source) => formula(source, true, budget) ?? mistaken(source),
    );
    return parts.length === 0 ? '' : `<p>${parts.join('\n\n')}</p>\n`;
  };
}

/** The formulas of a block, which empty lines part. */
function partsOf(content: string): string[] {
  const parts: string[][] = [[]];
  for (const line of content.split('\n').map((each) => each.trimEnd())) {
    if (line !== '') parts.at(-1)!.push(line);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part !== '');
}
