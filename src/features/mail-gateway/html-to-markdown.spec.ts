import { htmlToMarkdown } from './html-to-markdown';

const own = (html: string) => htmlToMarkdown(html, { withQuotes: false });

describe('Markdown of a mail in HTML', () => {
  it.each([
    ['<p>one</p><p>two<br>three</p>', 'one\n\ntwo\nthree'],
    ['<div>one</div><div>two</div>', 'one\n\ntwo'],
    ['a <b>bold</b> and <em> soft </em> word', 'a **bold** and *soft* word'],
    ['<h2>Soup</h2>today', '**Soup**\n\ntoday'],
    ['<ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul>', '* one\n\n* two\n\n  * deep'],
    ['<ol start="3"><li>one</li><li>two</li></ol>', '3. one\n\n4. two'],
    ['<blockquote>one<br>two</blockquote>', '> one\n> two'],
    ['<pre>a  *b*\n``` c</pre>', '````\na  *b*\n``` c\n````'],
    ['<a href="https://example.com/a(b)">the <i>menu</i></a>', '[the *menu*](https://example.com/a%28b%29)'],
    ['<a href="javascript:alert(1)">click</a>', 'click'],
    ['<style>p { color: red }</style><script>alert(1)</script><title>x</title>soup', 'soup'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
    ['<img src="cid:1" alt="a spoon">', 'a spoon'],
    ['caf&eacute; &amp; &lt;b&gt;', 'café & \\<b>'],
  ])('%s', (html, markdown) => {
    expect(own(html)).toBe(markdown);
  });

  it('means nothing by what its texts say', () => {
    expect(own('<p># *a* [b](c) `d` @**all**</p><p>1. x</p><p>- y</p><p>/poll z</p>')).toBe(
      '\\# \\*a\\* \\[b\\](c) \\`d\\` @\\*\\*all\\*\\*\n\n1\\. x\n\n\\- y\n\n\\/poll z',
    );
  });

  it.each([
    ['<p>own</p><div class="gmail_quote">theirs</div>'],
    ['<p>own</p><blockquote type="cite">theirs</blockquote>'],
    ['<p>own</p><div id="divRplyFwdMsg">From: them</div><div>theirs</div>'],
    ['<p>own</p><div class="x moz-cite-prefix">On Monday:</div>'],
  ])('leaves out quotes: %s', (html) => {
    expect(own(html)).toBe('own');
    expect(htmlToMarkdown(html, { withQuotes: true })).not.toBe('own');
  });

  it.each([
    ['nested', '<b>'.repeat(300_000)],
    ['closed without being open', `<i>${'<b>'.repeat(90)}${'</i></u>'.repeat(100_000)}`],
    ['of text', 'soup '.repeat(200_000)],
    ['of attributes', `<p ${'a=b '.repeat(200_000)}>soup`],
    ['of brackets', '<'.repeat(1_000_000)],
    ['of entities', '&#x'.repeat(300_000)],
    ['of quotes', `${'<blockquote>'.repeat(99)}${'<br>'.repeat(100_000)}`],
    ['of lists', '<ul><li>x'.repeat(100_000)],
    ['of ticks', `<pre>${'` '.repeat(100_000)}`],
  ])('is bounded where there is much %s', (_what, html) => {
    expect(own(html).length).toBeLessThan(1_000_000);
  });
});
