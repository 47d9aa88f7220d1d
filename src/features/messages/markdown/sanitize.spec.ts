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
    [
      '<p><a href="https://a.example/?b=1&amp;lt;#c">a</a> <a href="javascript://x">b</a></p>',
      '<p><a href="https://a.example/?b=1&amp;lt;#c">a</a> <a>b</a></p>',
    ],
    ['<ul>\n<li>a<li>b</li></li>\n</ul>', '<ul>\n<li>a</li><li>b</li>\n</ul>'],
    [
      '<blockquote>\n<p>a<ul></ul></p>\n</blockquote>',
      '<blockquote>\n<p>a</p><ul></ul><p></p>\n</blockquote>',
    ],
  ])('%j comes out as %j', (html, expected) => {
    expect(sanitize(html)).toBe(expected);
    expect(parsed(html)).toBe(expected);
  });

  const pieces =
    '<p> </p> <strong> </strong> <em> </em> <del> </del> <code> </code> <br> <br/> &quot; &amp; &lt; &gt; & " > &#60; ' +
    '&ltp> <p > <!-- --> <a> </a> <li> </li> <ul> </ul> <script> \0 \r\n \u2028 \ud800 é lt; / />';
  const tags = fc.array(fc.constantFrom(...pieces.split(' '), ' ', 'a'), { maxLength: 40 });
  const tagsWithAttributes = [
    ...['https://a.example/b?c=1&amp;d', 'http://&amp;copy;', 'https://&quot;', 'ftp://a', '//a', ''].map(
      (url) => `a href="${url}"`,
    ),
    ...['12', '*', ''].map((id) => `span class="user-mention silent" data-user-id="${id}"`),
    ...['tada', '+1', '&lt;'].map(
      (name) => `span aria-label="${name}" class="emoji emoji-1f389" role="img" title="a"`,
    ),
  ];
  const inline = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom('a', ' ', '\n', '&quot;', '&amp;', '&lt;p&gt;', '<br>', '\0', '\u00a0', '"'),
      fc
        .tuple(
          fc.constantFrom(
            ...'strong em del code p ul ol li blockquote span a'.split(' '),
            ...tagsWithAttributes,
          ),
          fc.array(tie('node'), { maxLength: 4 }),
        )
        .map(([tag, inside]) => `<${tag}>${inside.join('')}</${tag.replace(/ .*/, '')}>`),
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
