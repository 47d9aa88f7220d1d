import { mailedText } from './mail-html';

const shown = (rendered: string) => mailedText(rendered, 'https://chat.example.com', '(hidden)');

describe('The text of a message in a mail', () => {
  it.each([
    ['<p>a &amp; b<br>\nc</p>', '<p>a &amp; b<br>\nc</p>', 'a & b\n\nc'],
    [
      '<p><a href="/user_uploads/1/a.pdf">menu</a> <a href="https://x.example/?a=1&amp;b">https://x.example/?a=1&amp;b</a></p>',
      '<p><a href="https://chat.example.com/user_uploads/1/a.pdf">menu</a> <a href="https://x.example/?a=1&amp;b">https://x.example/?a=1&amp;b</a></p>',
      'menu (https://chat.example.com/user_uploads/1/a.pdf) https://x.example/?a=1&b',
    ],
    ['<p><a href="javascript:alert(1)">x</a><a href="//evil.example/">y</a></p>', '<p>xy</p>', 'xy'],
    [
      '<p><span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>!</p>',
      '<p>🙂!</p>',
      '🙂!',
    ],
    [
      '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/1/emoji/images/11.png" title="green tick"></p>',
      '<p>:green_tick:</p>',
      ':green_tick:',
    ],
    [
      '<p>so</p>\n<div class="message_inline_image"><a href="/user_uploads/1/p.png" title="p"><img src="/t.webp"></a></div>',
      '<p>so</p>',
      'so',
    ],
    [
      '<p><img alt="p &quot;q&quot;" class="inline-image" data-original-src="/user_uploads/1/p.png" src="/t.webp"></p>',
      '<p><a href="https://chat.example.com/user_uploads/1/p.png">p &quot;q&quot;</a></p>',
      'p "q" (https://chat.example.com/user_uploads/1/p.png)',
    ],
    ['<ul>\n<li>one</li>\n<li>two</li>\n</ul>', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>', '- one\n\n- two'],
    ['<p onclick="x">a<script src="/x">b</script></p>', '<p>ab</p>', 'ab'],
    ['<p>open <em>ends', '<p>open <em>ends</em></p>', 'open ends'],
  ])('%s', (rendered, html, text) => {
    expect(shown(rendered)).toEqual({ html, text: expect.any(String) });
    expect(shown(rendered).text.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
  });

  it('omits spoilers, and keeps what follows them', () => {
    const spoiler =
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>Who</p>\n</div>' +
      '<div class="spoiler-content" aria-hidden="true">\n<div>The butler</div>\n</div></div>\n<p>After</p>';
    const { html, text } = shown(spoiler);
    expect(html + text).not.toContain('butler');
    expect(text.split(/\s+/)).toEqual(['Who', '(hidden)', 'After']);
  });

  it('is truncated if it is very long', () => {
    const { html, text } = shown(`<p>${'<em>🦉</em>'.repeat(10_000)}</p>`);
    expect([text.length <= 10_001, text.isWellFormed(), html.length < 20_000]).toEqual([true, true, true]);
  });
});
