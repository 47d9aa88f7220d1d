import { SlackBlocks } from './slack-blocks';
import { literal } from '../converting/markdown';
import { fromMrkdwn, plainMrkdwn, type SlackNames } from './slack-text';

const NAMES: SlackNames = {
  person: (id) => (id === 'U1' ? { mention: '@**Ada|1**', name: 'Ada' } : null),
  channel: (id) => (id === 'C1' ? 'lab' : null),
  emoji: (name) => (name === 'thumbsup' ? ':+1:' : null),
};

it.each([
  ['a &lt; b &amp;&amp; c &gt; d', 'a < b && c > d'],
  ['*bold* _it_ ~no~', '**bold** *it* ~~no~~'],
  ['*_both_*', '***both***'],
  ['2*3*4 snake_case_name a~b~c', '2&#42;3&#42;4 snake_case_name a~b~c'],
  ['(*b*), _i_.', '(**b**), *i*.'],
  ['* not bold *', '* not bold *'],
  ['<@U1> <@U1|ada> <@W9|bo> <@W9>', '@**Ada|1** @**Ada|1** @bo @W9'],
  ['<#C1|old> <#C1> <#C9|gone> <#C9|>', '#**lab** #**lab** #gone #C9'],
  ['<!here> <!channel> <!everyone>', '@**all** @**all** @**all**'],
  ['<!subteam^S1|@team> <!subteam^S1>', '@team @S1'],
  ['<!date^1392734382^{date}|then>', '<time:2014-02-18T14:39:42.000Z>'],
  [
    '<https://x.example/a_(b)|page [1]> <https://x.example>',
    '[page &#91;1&#93;](https://x.example/a_%28b%29) https://x.example',
  ],
  ['<https://x.example?a=1&amp;b=2>', 'https://x.example?a=1&b=2'],
  ['*<https://x.example|page>*', '**[page](https://x.example)**'],
  ['<mailto:a@b.example|a@b.example> <tel:1>', '[a@b.example](mailto:a@b.example) 1'],
  ['<javascript:alert(1)|click>', 'click'],
  [':thumbsup: :thumbsup::skin-tone-3: :other: 12:30:45', ':+1: :+1: :other: 12:30:45'],
  ['`a *b* <@U1> &lt;c&gt;`', '`a *b* @Ada <c>`'],
  ['see ```x = *y*\n&lt;z&gt;``` end', 'see \n```\nx = *y*\n<z>\n```\n end'],
  ['&gt; quote\nno quote', '> quote\n\nno quote'],
  ['&gt;&gt;&gt; all\nof it', '> all\n> of it'],
  ['• one\n• two', '* one\n* two'],
  ['@**all** #**lab**', '@&#42;&#42;all&#42;&#42; #&#42;&#42;lab&#42;&#42;'],
  ['# no heading', '&#35; no heading'],
  ['/me is no command', '&#47;me is no command'],
  ['[no](link) $$no$$ ~~~ &amp;amp;', '[no&#93;(link) &#36;$no&#36;$ &#126;&#126;~ &amp;amp;'],
  ['\ue0000\ue001\ue010x\ue010', '0x'],
])('%j becomes %j', (mrkdwn, markdown) => {
  expect(fromMrkdwn(mrkdwn, NAMES)).toBe(markdown);
});

it('becomes plain text where marks have no place', () => {
  const text = '*a* <@U1> <#C1> <https://x.example|page> <!here> &amp;';
  expect(plainMrkdwn(text, NAMES)).toBe('*a* Ada #lab page @here &'.replace('Ada', '@Ada'));
});

it('takes no longer for what is made to take long', () => {
  for (const piece of ['*', '_a', '~', '`', '<', '<@', ':', '```', '&gt;', '*a ', '<a|'])
    expect(fromMrkdwn(piece.repeat(20_000), NAMES).length).toBeGreaterThan(0);
});

it('shows a text as it is only where it would not be so by itself', () => {
  expect(literal('plain, 5 * 3 = 15; a_b; x > y; #5 [x] (y)')).toBe(
    'plain, 5 * 3 = 15; a_b; x > y; #5 [x] (y)',
  );
});

describe('blocks', () => {
  const unknown: string[] = [];
  const blocks = new SlackBlocks(NAMES, (kind) => unknown.push(kind));
  const text = (value: string, ...styles: string[]) => ({
    ...{ type: 'text', text: value },
    style: Object.fromEntries(styles.map((style) => [style, true])),
  });
  const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
  const rich = (...elements: object[]) => ({ type: 'rich_text', elements });

  it.each<[string, object, string]>([
    [
      'text',
      rich(section(text('a '), text('b', 'bold'), text(' c ', 'italic'), text('*d*'))),
      'a **b** *c* &#42;d&#42;',
    ],
    [
      'neighbors',
      rich(section(text('a', 'bold'), text('b', 'bold'), text('x`y', 'code'))),
      '**ab**`` x`y ``',
    ],
    ['lines', rich(section(text('one\ntwo\n', 'bold', 'strike'))), '~~**one**~~\n~~**two**~~\n'],
    [
      'leaves',
      rich(
        section(
          { type: 'user', user_id: 'U1' },
          text(' '),
          { type: 'channel', channel_id: 'C1' },
          text(' '),
          { type: 'broadcast', range: 'here' },
          { type: 'usergroup', usergroup_id: 'S1' },
          { type: 'emoji', name: 'unheard_of', unicode: '1f389' },
          { type: 'emoji', name: 'own_without_picture' },
          { type: 'color', value: '#fff' },
          { type: 'date', timestamp: 1392734382, fallback: 'then' },
          { type: 'link', url: 'https://x.example', text: 'page' },
        ),
      ),
      '@**Ada|1** #**lab** @**all**@S1:tada::own_without_picture:#fff<time:2014-02-18T14:39:42.000Z>[page](https://x.example)',
    ],
    [
      'lists',
      rich(
        { type: 'rich_text_list', style: 'bullet', elements: [section(text('a')), section(text('b\nc'))] },
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section(text('d'))] },
      ),
      '* a\n* b c\n\n  3. d',
    ],
    ['a quotation', rich({ type: 'rich_text_quote', elements: [text('a\nb')] }), '> a\n> b'],
    ['code', rich({ type: 'rich_text_preformatted', elements: [text('a\n```b')] }), '````\na\n```b\n````'],
    [
      'a section',
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*a*' },
        fields: [{ type: 'plain_text', text: '*b*' }],
        accessory: { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'picture' },
      },
      '**a**\n\n&#42;b&#42;\n\n[picture](https://x.example/i.png)',
    ],
    ['a heading', { type: 'header', text: { type: 'plain_text', text: 'A\nB' } }, '## A B'],
    [
      'context',
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: '_a_' },
          { type: 'plain_text', text: 'b' },
        ],
      },
      '*a* b',
    ],
    ['Markdown', { type: 'markdown', text: '**as it is**' }, '**as it is**'],
    [
      'a video',
      { type: 'video', title: { text: 'V' }, title_url: 'https://v.example' },
      '[V](https://v.example)',
    ],
    [
      'a table',
      {
        type: 'table',
        rows: [
          [{ type: 'raw_text', text: 'a|b' }, rich(section(text('c')))],
          [{ type: 'raw_text', text: '1' }, null],
        ],
      },
      '| a&#124;b | c |\n| --- | --- |\n| 1 |',
    ],
    ['nothing to read', { type: 'actions', elements: [] }, ''],
  ])('of %s', (_, block, markdown) => {
    expect(blocks.blocks({ blocks: [null, block] })).toBe(markdown);
  });

  it('of older messages, without previews of links', () => {
    const attachments = [
      {
        pretext: 'before',
        author_name: 'Ada',
        title: 'T',
        title_link: 'https://t.example',
        text: '*a*',
        fields: [{ title: 'F', value: '_v_' }],
        footer: 'end',
      },
      { from_url: 'https://x.example', title: 'preview' },
      { is_share: true, from_url: 'https://s.slack.com/1', text: 'shared' },
      { fallback: 'only this' },
    ];
    expect(blocks.attachments({ attachments })).toBe(
      'before\n\nAda\n\n**[T](https://t.example)**\n\n**a**\n\n**F**: *v*\n\nend\n\n> shared\n\nonly this',
    );
  });

  it('names kinds that it does not know', () => {
    expect(
      blocks.blocks({ blocks: [{ type: 'hologram' }, rich(section({ type: 'smell', text: 'x' }))] }),
    ).toBe('x');
    expect(unknown).toEqual(['hologram', 'smell']);
  });
});
