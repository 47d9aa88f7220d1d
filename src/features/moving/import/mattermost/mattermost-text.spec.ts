import { fromMattermost, type MattermostNames } from './mattermost-text';

const names: MattermostNames = {
  mention: (username) => (['ada', 'bo.b'].includes(username) ? `@**${username}|1**` : null),
  channel: (handle) => (handle === 'town-square' ? 'Town Square' : null),
  emoji: (name) => (name === '+1' || name === 'party' ? `:${name}:` : null),
};

describe('Markdown of Mattermost', () => {
  it.each<[string, string]>([
    ['**bold** *it* ~~no~~ and `code`', '**bold** *it* ~~no~~ and `code`'],
    ['_it_ and __bold__, snake_case_name', '*it* and **bold**, snake_case_name'],
    ['@ada, @ADA and @bo.b.', '@**ada|1**, @**ada|1** and @**bo.b|1**.'],
    ['_@ada_', '*@**ada|1***'],
    ['@nobody me@ada x@ada.example', '@nobody me@ada x@ada.example'],
    ['@all @channel: @here!', '@**all** @**all**: @**all**!'],
    ['~town-square, ~elsewhere ~~gone~~', '#**Town Square**, ~elsewhere ~~gone~~'],
    [':+1: :party: :unheard: 10:30:45', ':+1: :party: :unheard: 10:30:45'],
    ['`@ada :+1: _x_` and ``a ` @ada``', '`@ada :+1: _x_` and ``a ` @ada``'],
    ['see https://x.example/_a_/@ada?b=:+1: _yes_', 'see https://x.example/_a_/@ada?b=:+1: *yes*'],
    ['[a _page_](https://x.example/(1) "title")', '[a _page_](https://x.example/%281%29)'],
    ['![picture](https://x.example/p.png)', '[picture](https://x.example/p.png)'],
    ['[click](javascript:alert(1))', 'click'],
    ['\\*not it\\* and \\@ada', '&#42;not it&#42; and &#64;ada'],
    ['@**all** @_**Ada** #**secret**', '&#64;**all** &#64;_**Ada** &#35;**secret**'],
    ['costs $$5', 'costs &#36;$5'],
    ['/poll x', '&#47;poll x'],
    ['# Title\n> quote\n- [ ] task\n| a | b |', '# Title\n> quote\n- [ ] task\n| a | b |'],
    ['```js\n@ada _x_\n```\n_y_', '```js\n@ada _x_\n```\n*y*'],
    ['~~~\n@ada\n```\n~~~\n@ada', '~~~\n@ada\n```\n~~~\n@**ada|1**'],
    ['```latex\nx^2\n```', '```math\nx^2\n```'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['\ue000999\ue001 \ue0000', '999 0'],
  ])('%j becomes %j', (given, expected) => {
    expect(fromMattermost(given, names)).toBe(expected);
  });

  it.each(['@', '`', '``', '[', '[](', '_', '__a', ':', '~', '\\', '((', 'https://'])(
    'reads a long line of %j in linear time',
    (piece) => {
      expect(fromMattermost(piece.repeat(200_000), names).length).toBeGreaterThan(0);
    },
  );
});
