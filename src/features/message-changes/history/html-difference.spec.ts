import { htmlDifference } from './html-difference';

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

const formula = (source: string) =>
  '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">' +
  `${source}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">${source}</span></span>`;

it.each([
  ['<p>Hello</p>', '<p>Hello</p>', '<p>Hello</p>'],
  ['<p>Hello!</p>', '<p>Howdy!</p>', `<p>${inserted('Howdy!')}${deleted('Hello!')}</p>`],
  ['<p>one three</p>', '<p>one two three</p>', `<p>one ${inserted('two ')}three</p>`],
  ['<p>one two three</p>', '<p>one three</p>', `<p>one ${deleted('two ')}three</p>`],
  ['<p>word</p>', '<p><strong>word</strong></p>', '<p><strong>word</strong></p>'],
  ['<p><em>a</em> b</p>', '<p>a b</p>', '<p>a b</p>'],
  ['', '<p>new</p>', `<p>${inserted('new')}</p>`],
  ['<p>a &lt;b&gt;</p>', '<p>a &lt;c&gt;</p>', `<p>a ${inserted('&lt;c&gt;')}${deleted('&lt;b&gt;')}</p>`],
  [
    '<p><a href="https://old.example">site</a> same</p>',
    '<p><a href="https://new.example">site</a> same</p>',
    `<p><a href="https://new.example">site${inserted(' Link: https://new.example')}${deleted(' Link: https://old.example')}</a> same</p>`,
  ],
  [
    '<p><a href="/x">a</a> b</p>',
    '<p><a href="/x">a</a> c</p>',
    `<p><a href="/x">a</a> ${inserted('c')}${deleted('b')}</p>`,
  ],
  [
    `<p>a ${formula('x')} b</p>`,
    `<p>a ${formula('y')} b</p>`,
    `<p>a ${inserted(formula('y'))}${deleted(formula('x'))} b</p>`,
  ],
])('from %j to %j', (before, after, marked) => {
  expect(htmlDifference(before, after)).toBe(`<div>${marked}</div>`);
});

it('keeps the structure of the new version, whatever was removed', () => {
  const html = htmlDifference('<ul><li>a</li><li>b</li></ul>', '<p>c</p>');
  expect(html.replace(/<span[^>]*>.*?<\/span>/g, '')).toBe('<div><p></p></div>');
  expect(html).toContain(inserted('c'));
});

it('is not slower for long texts without anything in common', () => {
  const text = (word: string) => `<p>${Array.from({ length: 20_000 }, (_, i) => word + i).join(' ')}</p>`;
  const html = htmlDifference(text('a'), text('b'));
  expect(html.length).toBeGreaterThan(200_000);
  expect(html).toContain('b19999');
});
