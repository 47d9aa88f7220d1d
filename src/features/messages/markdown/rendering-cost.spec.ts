import fc from 'fast-check';
import { MARKDOWN_PIECES } from '../../../../test/support/markdown-pieces';
import { everyUpload, linkifier, renderContext } from '../../../../test/support/render-context';
import { renderMarkdown } from './render-markdown';

const LENGTH = 10_000;
const RUNS = 100;

/**
 * Maximum cost of any text relative to ordinary text of the same length. The most expensive known text costs about six
 * times as much; superlinear ones cost hundreds of times as much. The margin is for busy machines.
 */
const MOST = 40;

const context = renderContext({
  linkifiers: () => [
    linkifier(1, /L(\S)/g, 'https://l.example/'),
    linkifier(2, /#(\d+)/g, 'https://m.example/'),
  ],
  uploaded: everyUpload,
});

const ordinary =
  'An ordinary **message** with a [link](https://x.org/a), `code`, @**Iago**, :smile: and some words.\n- a list\n- of *two*\n\n';

/** A repeated text, with a beginning and an end. */
interface Shape {
  readonly head: string;
  readonly unit: string;
  readonly tail: string;
}

function textOf({ head, unit, tail }: Shape, length: number): string {
  const room = Math.max(0, length - head.length - tail.length);
  return `${head}${unit.repeat(Math.ceil(room / unit.length)).slice(0, room)}${tail}`;
}

/** CPU time in milliseconds. */
function cost(text: string): number {
  const began = process.cpuUsage();
  renderMarkdown(text, context);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/**
 * Compares with ordinary text, so that the speed of the machine does not matter. Starts with short texts, because
 * superlinear ones would never finish; the shortest are compared with longer ones, as formulas use up their budget in a
 * few hundred characters. Measures again if a text looks expensive, since other processes may have interfered.
 */
function isCheap(shape: Shape): boolean {
  return [LENGTH / 16, LENGTH / 4, LENGTH].every((length) => {
    const text = textOf(shape, length);
    const usual = textOf({ head: '', unit: ordinary, tail: '' }, Math.max(length, LENGTH / 4));
    let [dearest, least] = [0, Infinity];
    for (let attempt = 0; attempt < 8; attempt++) {
      least = Math.min(least, cost(text));
      if (least <= 2) return true;
      dearest = Math.max(dearest, cost(usual));
      if (least <= MOST * dearest) return true;
    }
    return false;
  });
}

beforeAll(() => {
  for (let times = 0; times < 20; times++) cost(textOf({ head: '', unit: ordinary, tail: '' }, LENGTH));
});

const shape = (unit: string, head = '', tail = ''): Shape => ({ head, unit, tail });

it.each([
  ['tables', shape('|a\n', '|a\n|-\n')],
  ['wide tables', shape('|a\n', `${'|'.repeat(100)}\n${'|-'.repeat(99)}|\n`)],
  ['many tables', shape('|a\n|-\n|b\n\n')],
  ['tables of code', shape('|`|`\n', '|a|\n|-|\n')],
  ['marks of code in a table', shape('`|', '|a|\n|-|\n|')],
  ['lists with many marks', shape('1. a\n  * b\n  - c\n')],
  ['struck texts', shape('~~ a ~~')],
  ['marks that strike nothing', shape('~~a')],
  ['empty quotations', shape('>\n')],
  ['times', shape('<time:2026-01-01T10:00:00Z>')],
  ['wrong times', shape('<time:x>')],
  ['addresses', shape('a@b.cc,')],
  ['dotted addresses', shape('a@b.c.d.e.f.g.h.i.')],
  ['quotes in quotes', shape('> ', '', 'a')],
  ['twenty quotes', shape('a\n', '> '.repeat(20))],
  ['quoted lists', shape('> - ')],
  ['emphasis', shape('*a **b ')],
  ['emphasis that nothing closes', shape('**a*')],
  ['emphasis that nothing opens', shape('a*')],
  ['brackets', shape('[')],
  ['links in links', shape('[![a](b)')],
  ['links without end', shape('[a](<b')],
  ['titles without end', shape('[a](b "c ')],
  ['mentions', shape('@**Iago**')],
  ['mentions without end', shape('@**a|')],
  ['channels', shape('#**Denmark>a**')],
  ['quotations by fences', shape('```quote\n')],
  ['spoilers', shape('```spoiler a\n')],
  ['fences of many lengths', shape('```\n````\n')],
  ['blanks after a fence', shape(' ', '```', 'x`')],
  ['tabs after the word of a fence', shape('\t ', '~~~a', 'b~')],
  ['colons', shape(':')],
  ['emoji', shape(':smile:')],
  ['emoji without end', shape(':a')],
  ['families', shape('👩‍')],
  ['flags', shape('🇦')],
  ['what linkifiers find', shape('Lx#1 ')],
  ['web addresses', shape('http://a ')],
  ['web addresses in brackets', shape('(', 'http://a')],
  ['punctuation after an address', shape('.', 'http://a.b/', 'x')],
  ['addresses without a scheme', shape('www.a.')],
  ['pictures', shape('[](/user_uploads/1/a.png)')],
  ['pictures in place', shape('![](/user_uploads/1/a.png)')],
  ['pictures in lists', shape('- [](/user_uploads/1/a.png)\n')],
  ['sound', shape('![](/user_uploads/1/a.mp3)')],
  ['formulas without end', shape('$$a')],
  ['entities', shape('&lt;')],
  ['backslashes', shape('\\')],
  ['backticks', shape('` ``')],
  ['headings', shape('# a\n')],
  ['formulas', shape('$$x^2$$ ')],
  ['a long formula', shape('x^{2}', '```math\n')],
  ['formulas in one another', shape('\\frac{', '```math\n')],
  ['a wide table in a formula', shape('&', '```math\n\\begin{matrix}', '\\end{matrix}\n```')],
  ['characters that formulas lack', shape('é', '```math\n\\text{', '}\n```')],
  ['definitions in a formula', shape('\\a', `\`\`\`math\n\\def\\a{${'x'.repeat(900)}}`)],
  ['formulas that define', shape('$$\\def\\a#1{#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}$$ ')],
  ['definitions with long texts', shape(`$$\\def\\a#1{${'#1'.repeat(300)}}\\a{${'x'.repeat(300)}}$$ `)],
  ['many blocks of formulas', shape('```math\nx\n```\n')],
  ['code of short tokens', shape('a=1;', '```c\n')],
  ['code of one long line', shape('a.b("c"); ', '```js\n')],
  ['code that nothing ends', shape('{{=pod\n', '```jsx\n')],
  ['code of open brackets', shape('||\nm#.1{{', '```ts\n')],
  ['code of open texts', shape('"a\n', '```py\n')],
  ['code of bars', shape('| ', '```yaml\n')],
  ['code of keys', shape('- a: ', '```yaml\n')],
  ['code of open tags', shape('<a ', '```html\n')],
  ['code of interpolations', shape('"#{', '```ruby\n')],
  ['code of substitutions', shape('"$(', '```sh\n')],
  ['code of raw texts', shape('R"(', '```cpp\n')],
  ['code of blanks', shape(' ', '```diff\n+', 'x')],
  ['many blocks of code', shape('```py\na=1\n```\n')],
  ['rules of tables that are none', shape('-', '|a|b|c|\n|', 'x')],
])('%s cost little more than ordinary text', (_what, text) => {
  expect(isCheap(text)).toBe(true);
});

it('any repetition costs little more than ordinary text', () => {
  const pieces = (minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom(...MARKDOWN_PIECES), { minLength, maxLength }).map((parts) => parts.join(''));
  const shapes = fc.record({ head: pieces(0, 2), unit: pieces(1, 4), tail: pieces(0, 2) });
  const { counterexample } = fc.check(fc.property(shapes, isCheap), { numRuns: RUNS, endOnFailure: true });
  expect(counterexample).toBeNull();
});
