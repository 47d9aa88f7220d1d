import fc from 'fast-check';
import { highlight } from './fetched-messages.api';
import { parseSearch } from './search';
import { readHtml } from './words';

const mark = (html: string, text: string) => {
  const query = parseSearch(text);
  if (!query) throw new Error('There is nothing to look for.');
  // A shorter notation for the expectations below.
  return highlight(html, query).replace(/<span class="highlight">([^<]*)<\/span>/g, '[$1]');
};

describe('highlight', () => {
  it.each([
    ['<p>Soup at <strong>noon</strong></p>', 'soup noon', '<p>[Soup] at <strong>[noon]</strong></p>'],
    ['<p>Crème brûlée</p>', 'creme', '<p>[Crème] brûlée</p>'],
    ['<p>running</p>', 'run', '<p>[running]</p>'],
    ['<p>soup at noon</p>', '"at noon"', '<p>soup [at] [noon]</p>'],
    ['<p>warm <em>soup</em></p>', '"warm soup"', '<p>[warm] <em>[soup]</em></p>'],
    ['<p>fan<strong>tas</strong>tic</p>', 'fantastic', '<p>[fan]<strong>[tas]</strong>[tic]</p>'],
    ['<p>one</p>\n<p>two</p>', '"one two"', '<p>[one]</p>\n<p>[two]</p>'],
    ['<p>one<br>\ntwo</p>', 'onetwo', '<p>one<br>\ntwo</p>'],
    [
      '<p><a href="https://soup.example/soup" title="soup">soup</a></p>',
      'soup',
      '<p><a href="https://soup.example/soup" title="soup">[soup]</a></p>',
    ],
    ['<p>span class highlight p</p>', 'span class p', '<p>[span] [class] highlight [p]</p>'],
    [
      '<p>AT&amp;T &lt;soup&gt; x&#x27;soup&#39;</p>',
      'soup at',
      '<p>[AT]&amp;T &lt;[soup]&gt; x&#x27;[soup]&#39;</p>',
    ],
    ['<p>R&amp;D &amp;amp; amp</p>', 'amp', '<p>R&amp;D &amp;[amp]; [amp]</p>'],
    ['<p>½ cup</p>', '2', '<p>[½] cup</p>'],
    [
      '<p>x <img alt="soup" class="emoji" src="/soup.png"> y</p>',
      'soup',
      '<p>x <img alt="soup" class="emoji" src="/soup.png"> y</p>',
    ],
    ['<p>東京タワー</p>', '京タ', '<p>東[京][タ]ワー</p>'],
    ['<p>nothing</p>', 'soup', '<p>nothing</p>'],
    ['', 'soup', ''],
  ])('in %s of %j gives %s', (html, text, expected) => {
    expect(mark(html, text)).toBe(expected);
  });

  it('adds marks to any text, and changes nothing else', () => {
    const tag = fc.constantFrom('<p>', '</p>', '<em>', '</em>', '<br>', '<a href="a b">', '</a>');
    const text = fc.constantFrom('a', 'b', 'ab', ' ', '&amp;', '&lt;', '&#x27;', 'é', '京', '-', '½', '😀');
    const html = fc.array(fc.oneof(tag, text), { maxLength: 30 }).map((parts) => parts.join(''));
    const query = fc.array(fc.constantFrom('a', 'b', 'ab', '"a b"', 'e', '京', '1', 'amp'), { minLength: 1 });
    fc.assert(
      fc.property(html, query, (given, asked) => {
        const parsed = parseSearch(asked.join(' '));
        if (!parsed) return;
        const marked = highlight(given, parsed);
        // Each mark contains text and no tag.
        const without = marked.replace(/<span class="highlight">([^<]+)<\/span>/g, '$1');
        expect(without).toBe(given);
        expect(readHtml(marked).text).toBe(readHtml(given).text);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time that grows with the text and no faster', () => {
    const hostile = [
      '<p>' + '&'.repeat(100_000),
      '<p>' + '<'.repeat(100_000),
      '<p>' + 'a '.repeat(100_000),
      '<p>' + '\u0301'.repeat(100_000),
      '&#'.repeat(100_000),
    ];
    for (const html of hostile) expect(mark(html, '"a a a b"')).toBe(html);
  });
});
