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
