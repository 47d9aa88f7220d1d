import { formula, FormulaBudget } from './formulas';

const typeset = (source: string) => formula(source, false, new FormulaBudget());

describe('limits for formulas', () => {
  it.each([
    ['a long source', 'x'.repeat(2_600)],
    ['a wide table', `\\begin{matrix}${'&'.repeat(700)}\\end{matrix}`],
    ['characters that take long', `\\text{${'é'.repeat(700)}}`],
    ['the names of TeX', '\\LaTeX'.repeat(119)],
    ['what is nested deeply', `${'x^{'.repeat(400)}x${'}'.repeat(400)}`],
    ['a definition that is used again and again', `\\def\\a{${'x'.repeat(500)}}${'\\a'.repeat(50)}`],
    [
      'definitions in definitions',
      `\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}${'\\b'.repeat(30)}`,
    ],
    [
      'a definition with a long text in many places',
      `\\def\\a#1{${'#1'.repeat(200)}}\\a{${'x'.repeat(200)}}`,
    ],
    ['a definition that doubles its text', '\\def\\a#1{\\a{#1#1}}\\a{x}'],
    ['a new command with a long text', `\\newcommand\\a[1]{${'#1'.repeat(200)}}\\a{${'x'.repeat(200)}}`],
    ['definitions that hold what others come to', '\\def\\b{xx}\\def\\a{\\edef\\b{\\b\\b}\\a}\\a'],
    ['one that never ends', '\\def\\a{\\a\\a}\\a'],
  ])('is too much for %s', (_what, source) => {
    expect(typeset(source)).toBeNull();
  });

  it.each([
    ['a definition that is used a few times', '\\def\\R{\\mathbb{R}} \\R^2 \\times \\R'],
    ['many uses of a definition', `\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}${' + \\norm{x}'.repeat(50)}`],
    ['a table', '\\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}'],
    ['some names of TeX', '\\LaTeX'.repeat(118)],
    ['a long sum', Array.from({ length: 150 }, (_, index) => `x_{${index}}`).join(' + ')],
  ])('is enough for %s', (_what, source) => {
    expect(typeset(source)).toMatch(/^<span class="katex">/);
  });

  it('share one budget per message', () => {
    const budget = new FormulaBudget();
    let count = 0;
    while (formula('x', false, budget) !== null) count += 1;
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(150);
    expect(formula('y', true, budget)).toBeNull();
    expect(budget.htmlWritten).toBeLessThanOrEqual(150_000);
  });

  it('count arrows of diagrams several times', () => {
    const budget = new FormulaBudget();
    expect(formula(`\\begin{CD}${'A@>>>'.repeat(330)}\\end{CD}`, true, budget)).toBeNull();
    // It was rejected without an attempt.
    expect(formula('x'.repeat(900), true, budget)).not.toBeNull();
  });

  it('draw nothing larger than the screen', () => {
    expect(typeset('\\rule{9999em}{9999em}')).toContain('border-right-width:20em');
    expect(typeset('x\\kern-9999em y')).toBeNull();
  });
});

it.each([
  ['\\def\\a#1#2{#2^{#1}}\\a{x}y', 'y^{x}'],
  ['\\newcommand{\\norm}[1]{|#1|}\\norm{\\norm x}', '||x||'],
  ['\\def\\a[#1]#2.{#2_#1}\\a[i]{x}y.', '{x}y_i'],
  ['\\def\\a#1{\\def\\b##1{##1_#1}}\\a y\\b x', 'x_y'],
  ['\\let\\b\\frac\\def\\a{\\b xy}\\let\\c\\a\\c', '\\frac xy'],
  ['{\\def\\a{x}\\a}\\def\\a{y}\\edef\\b{\\a}\\def\\a{z}\\a\\b', '{x}zy'],
  ['\\def\\a#1{#1}\\def\\b{\\a}\\a{\\b{x}}', 'x'],
])('%s says as much as %s', (source, plain) => {
  const drawn = (text: string) => typeset(text)?.replace(/^.*?<span class="katex-html"/s, '');
  expect(drawn(source)).toBe(drawn(plain));
  expect(drawn(source)).toBeDefined();
});

it.each(['\\char0', '\\char"D800', '\\text{\\char"1B}'])('%s is not text', (source) => {
  expect(typeset(source)).toBeNull();
});

it.each([
  '\\frac{a}{b} \\sqrt[3]{x} \\sum_{i=0}^n \\int_a^b \\lim_{x\\to0}',
  '\\left( \\frac{\\frac{a}{b}}{c} \\middle| x \\right] \\Bigg(',
  '\\begin{cases} a & b \\\\ c & d \\end{cases} \\begin{array}{c|c:c} a & b & c \\\\ \\hline d \\end{array}',
  '\\overbrace{abc}^{x} \\widehat{xyz} \\xrightarrow[a]{b} \\overleftrightarrow{AB}',
  '\\color{#fff} x \\textcolor{red}{y} \\colorbox{red}{z} \\fcolorbox{red}{blue}{w} \\boxed{v}',
  '\\cancel{x} \\bcancel{x} \\sout{x} \\phase{-78} \\angl{n} \\pmb{x} \\vcenter{x} \\raisebox{1em}{x}',
  '\\mathbb{R} \\mathfrak{g} \\mathscr{L} \\mathtt{t} \\boldsymbol{\\alpha} \\text{漢字 é}',
  "f'(x) \\tiny y \\neq \\notin \\LaTeX \\rule{1em}{2em} \\underline{x} \\hphantom{x} \\operatorname{sn}",
])('%s is what KaTeX makes, and nothing of it is taken for anything else', (source) => {
  expect(typeset(source)).toMatch(/^<span class="katex"><span class="katex-mathml">/);
});
