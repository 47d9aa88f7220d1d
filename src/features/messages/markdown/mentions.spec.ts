import { renderContext } from '../../../../test/support/render-context';
import { renderMarkdown } from './render-markdown';

const render = (markdown: string) => renderMarkdown(markdown, renderContext());

const nobody = {
  mentionedUserIds: new Set<number>(),
  mentionedGroupIds: new Set<number>(),
  channelWildcard: false,
  topicWildcard: false,
};
const iago = '<span class="user-mention" data-user-id="5">@Iago</span>';
const quietIago = '<span class="user-mention silent" data-user-id="5">Iago</span>';

describe('mentions that notify', () => {
  it.each([
    ['@**Iago**', iago, { mentionedUserIds: new Set([5]) }],
    ['@**iago**', iago, { mentionedUserIds: new Set([5]) }],
    ['@**Iago|5**', iago, { mentionedUserIds: new Set([5]) }],
    ['@**|5**', iago, { mentionedUserIds: new Set([5]) }],
    ['(@**Iago**)', `(${iago})`, { mentionedUserIds: new Set([5]) }],
    [
      "@**Cordelia, Lear's daughter**",
      '<span class="user-mention" data-user-id="6">@Cordelia, Lear\'s daughter</span>',
      { mentionedUserIds: new Set([6]) },
    ],
    [
      '@**Twin** @**Twin|9**',
      '<span class="user-mention" data-user-id="8">@Twin</span> <span class="user-mention" data-user-id="9">@Twin</span>',
      { mentionedUserIds: new Set([8, 9]) },
    ],
    [
      '@*hamletcharacters*',
      '<span class="user-group-mention" data-user-group-id="3">@hamletcharacters</span>',
      { mentionedGroupIds: new Set([3]) },
    ],
    [
      '@*Role:Members*',
      '<span class="user-group-mention" data-user-group-id="4">@Members</span>',
      { mentionedGroupIds: new Set([4]) },
    ],
    ['@**topic**', '<span class="topic-mention">@topic</span>', { topicWildcard: true }],
  ])('%s', (markdown, html, found) => {
    expect(render(markdown)).toMatchObject({ html: `<p>${html}</p>`, ...nobody, ...found });
  });
});

it.each(['@**Gone**', '@**Gone|10**', '@**|10**', '@_**Gone**'])(
  '%s, who is deactivated, is silent',
  (markdown) => {
    expect(render(markdown)).toMatchObject({
      html: '<p><span class="user-mention silent" data-user-id="10">Gone</span></p>',
      ...nobody,
    });
  },
);

it('shows role groups by their names', () => {
  expect(render('@_*role:members*').html).toBe(
    '<p><span class="user-group-mention silent" data-user-group-id="4">Members</span></p>',
  );
});

describe('mentions of everybody in the channel', () => {
  it.each(['all', 'everyone', 'channel', 'stream'])('@**%s**', (word) => {
    expect(render(`@**${word}**`)).toMatchObject({
      ...nobody,
      html: `<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span></p>`,
      channelWildcard: true,
    });
  });
});

describe('mentions that notify nobody', () => {
  it.each([
    ['@_**Iago**', quietIago],
    ['@_**Iago|5**', quietIago],
    [
      '@_*hamletcharacters*',
      '<span class="user-group-mention silent" data-user-group-id="3">hamletcharacters</span>',
    ],
    ['@_**all**', '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>'],
    ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
  ])('%s', (markdown, html) => {
    expect(render(markdown)).toMatchObject({ html: `<p>${html}</p>`, ...nobody });
  });

  it.each([
    ['> @**Iago**', `<blockquote>\n<p>${quietIago}</p>\n</blockquote>`],
    ['```quote\n@**Iago**\n```', `<blockquote>\n<p>${quietIago}</p>\n</blockquote>`],
  ])('in a quotation: %p', (markdown, html) => {
    expect(render(markdown)).toMatchObject({ html, ...nobody });
  });

  it('except groups', () => {
    const { html, mentionedGroupIds } = render('> @*hamletcharacters*');
    expect(html).toContain(
      '<span class="user-group-mention" data-user-group-id="3">@hamletcharacters</span>',
    );
    expect(mentionedGroupIds).toEqual(new Set([3]));
  });

  it('except mentions outside the quotation', () => {
    expect(render('> @**Iago**\n\n@**Twin|9**').mentionedUserIds).toEqual(new Set([9]));
  });
});

describe('what is no mention', () => {
  it.each([
    ['an unknown name', '@**Nobody**', '@<strong>Nobody</strong>'],
    ['an unknown number', '@**Iago|99**', '@<strong>Iago|99</strong>'],
    ['another user’s ID', '@**Iago|6**', '@<strong>Iago|6</strong>'],
    ['an unknown number alone', '@**|99**', '@<strong>|99</strong>'],
    ['an unknown group', '@*nobody*', '@<em>nobody</em>'],
    ['a name without marks', '@Iago @all', '@Iago @all'],
    ['the end of a word', 'mail@**Iago**', 'mail@<strong>Iago</strong>'],
    ['an escaped sign', '\\@**Iago**', '@<strong>Iago</strong>'],
    ['a wildcard in capitals', '@**ALL**', '@<strong>ALL</strong>'],
  ])('%s', (_name, markdown, html) => {
    expect(render(markdown)).toMatchObject({ html: `<p>${html}</p>`, ...nobody });
  });
});

it('escapes names', () => {
  expect(render('@**Zoë <b>**').html).toBe(
    '<p><span class="user-mention" data-user-id="7">@Zoë &lt;b&gt;</span></p>',
  );
});
