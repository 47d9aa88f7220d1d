import fc from 'fast-check';
import { sanitize } from './sanitize';

/** The HTML that remains after a rule that makes the parser process all of it. */
function parsed(html: string): string {
  return sanitize(`<hr>${html}`).slice('<hr>'.length);
}

describe('HTML with nothing to remove', () => {
  it.each([
    ['<p>Soup <strong>at <em>noon</em></strong>?</p>', '<p>Soup <strong>at <em>noon</em></strong>?</p>'],
    ['<p>one<br>\ntwo</p>\n<p>three</p>', '<p>one<br>\ntwo</p>\n<p>three</p>'],
    ['<p>&lt;b&gt; &amp;lt; &quot;a&quot; "b"</p>', '<p>&lt;b&gt; &amp;lt; "a" "b"</p>'],
    ['<p>a</p></p>', '<p>a</p><p></p>'],
    ['<p>a<p>b</p></p>', '<p>a</p><p>b</p><p></p>'],
    ['<strong>a<p>b</strong></p>', '<strong>a<p>b</p></strong><p></p>'],
    ['<p>a<strong>b', '<p>a<strong>b</strong></p>'],
    ['<p onclick="x">a</p>', '<p>a</p>'],
    ['<p>a<script>x</script>&copy;</p >', '<p>a©</p>'],
    ['<P>a</P>', '<p>a</p>'],
  ])('%j comes out as %j', (html, expected) => {
    expect(sanitize(html)).toBe(expected);
    expect(parsed(html)).toBe(expected);
  });

  const pieces =
    '<p> </p> <strong> </strong> <em> </em> <del> </del> <code> </code> <br> <br/> &quot; &amp; &lt; &gt; & " > &#60; ' +
    '&ltp> <p > <!-- --> <a> <script> \0 \r\n \u2028 \ud800 é lt; / />';
  const tags = fc.array(fc.constantFrom(...pieces.split(' '), ' ', 'a'), { maxLength: 40 });
  const inline = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom('a', ' ', '\n', '&quot;', '&amp;', '&lt;p&gt;', '<br>', '\0', '\u00a0', '"'),
      fc
        .tuple(fc.constantFrom('strong', 'em', 'del', 'code', 'p'), fc.array(tie('node'), { maxLength: 4 }))
        .map(([tag, inside]) => `<${tag}>${inside.join('')}</${tag}>`),
    ),
  })).node;

  it.each([
    ['tags as they come', tags.map((parts) => parts.join(''))],
    ['tags inside each other', fc.array(inline, { maxLength: 6 }).map((parts) => parts.join(''))],
    ['anything', fc.string({ unit: 'binary', maxLength: 100 })],
  ])('%s come out as the parser writes them', (_what, html) => {
    fc.assert(
      fc.property(html, (text) => {
        expect(sanitize(text)).toBe(parsed(text));
      }),
      { numRuns: 3000 },
    );
  });
});
