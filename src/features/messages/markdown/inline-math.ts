import type MarkdownIt from 'markdown-it';

const MATH = /\$\$([^$\n]+)\$\$(?!\$)/y;

/** Plugin: `$$x^2$$` within a line. Formulas are shown as their source, in code, like the block form. */
export function inlineMath(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'math', (inline, silent) => {
    const { src, pos } = inline;
    if (src[pos] !== '$' || src[pos - 1] === '$') return false;
    MATH.lastIndex = pos;
    const match = MATH.exec(src);
    if (!match || MATH.lastIndex > inline.posMax) return false;
    if (!silent) inline.push('code_inline', 'code', 0).content = match[1]!.trim();
    inline.pos += match[0].length;
    return true;
  });
}
