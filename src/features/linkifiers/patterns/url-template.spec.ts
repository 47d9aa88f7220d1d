import { ReverseTemplate, UrlTemplate } from './url-template';

/** The variables of RFC 6570, section 3.2, that are texts. */
const VALUES = {
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  semi: ';',
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  undef: null,
};

function expand(template: string, values: Record<string, string | null | undefined> = VALUES): string {
  const parsed = UrlTemplate.parse(template);
  if (!parsed) throw new Error(`${template} is no template.`);
  return parsed.expand(values);
}

describe('a URL template', () => {
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,undef}', '?1024'],
    ['?{undef,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['O{+empty}X', 'OX'],
    ['O{+undef}X', 'OX'],
    ['{+path:6}/here', '/foo/b/here'],
    ['up{+path}{var}/here', 'up/foo/barvalue/here'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{#var}', '#value'],
    ['{#hello}', '#Hello%20World!'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
    ['{#path:6}/here', '#/foo/b/here'],
    ['{.who,who}', '.fred.fred'],
    ['{.half,who}', '.50%25.fred'],
    ['X{.var:3}', 'X.val'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var,empty}', '/value/'],
    ['{/var,undef}', '/value'],
    ['{/var:1,var}', '/v/value'],
    ['{;who}', ';who=fred'],
    ['{;empty}', ';empty'],
    ['{;hello:5}', ';hello=Hello'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{;x,y,undef}', ';x=1024;y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?var:3}', '?var=val'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
    ['{semi:2}', '%3B'],
    ['{var*}', 'value'],
    ['{?var*}', '?var=value'],
    ['', ''],
    ['https://example.com/plain', 'https://example.com/plain'],
  ])('%s becomes %s, as the RFC has it', (template, address) => {
    expect(expand(template)).toBe(address);
  });

  it.each([
    ['{x}', '%27%28%2A%29%21~-._', "'(*)!~-._"],
    ['{x}', '%F0%9F%98%80%C3%A9', '😀é'],
    ['{x}', 'a%09b%0A', 'a\tb\n'],
    ['{x:1}', '%F0%9F%98%80', '😀é'],
    ['{+x}', '%22%3C%3E%60%7B%7D%7C%5C%5E%20%25zz%2f%F0%9F%98%80[]', '"<>`{}|\\^ %zz%2f😀[]'],
    ['{x}', '%EF%BF%BD', '\ud83d'],
  ])('%s writes every character right: %s', (template, address, x) => {
    expect(expand(template, { x })).toBe(address);
  });

  it('encodes characters in literals that URLs cannot contain', () => {
    expect(expand('https://x.org/ü "<%2F%{var}')).toBe('https://x.org/%C3%BC%20%22%3C%2F%25value');
  });

  it('lists its variables by their plain names', () => {
    const { variables } = UrlTemplate.parse('/{a}{?b,c.d}{+e}{f*}{g:3}{%41h}{a}')!;
    expect([...variables]).toEqual(['a', 'b', 'c.d', 'e', 'f', 'g', '%41h']);
  });

  it('uses no inherited properties as values', () => {
    expect(expand('x{toString}{__proto__}', {})).toBe('x');
  });

  it.each([
    ...['{/id*', '/id*}', '{/?id}', '{var:prefix}', '{hello:2*}', '{??hello}', '{!hello}', '{=path}'],
    ...['{$var}', '{|var*}', '{*keys?}', '{?empty=default,var}', '{var}{-prefix|/-/|var}', '{#hello+}'],
    ...['?q={searchTerms}&amp;c={example:color?}', '{;keys:1*}', '{~thing}', '{?query){&x*}', '{?x, y}'],
    ...[
      '{}',
      '{{x}}',
      '{é}',
      '{x:0}',
      '{x:01}',
      '{x:10000}',
      '{x:}',
      '{x,}',
      '{,x}',
      '{.}',
      '{x..y}',
      '{.x.}',
    ],
    ...['{x-y}', '{x**}', '{x*:3}', '{%zz}', '{x[0]}', '{x\n}', '}', '{'],
  ])('is refused: %j', (text) => {
    expect(UrlTemplate.parse(text)).toBeNull();
  });
});

it.each([
  ['https://tickets.example/{id}', true],
  ['mailto:{id}@example.org', true],
  ['vscode://file/{id}', true],
  ['/tickets/{id}', true],
  ['tickets/{+id}', true],
  ['?ticket={id}', true],
  ['{id}', false],
  ['{+id}/x', false],
  ['java{+id}', false],
  ['javascript:alert({id})', false],
  ['JavaScript:{id}', false],
  ['java\nscript:x/{id}', false],
  ['data:text/html,{id}', false],
  ['vbscript:{id}', false],
  ['blob:{id}', false],
  ['file:///{id}', false],
])('%j leads where a link may lead: %s', (template, isSafe) => {
  expect(UrlTemplate.parse(template)?.isSafe).toBe(isSafe);
});

const expandReverse = (text: string) =>
  ReverseTemplate.parse(text).expand({ id: '12', repo: 'soup', none: null });

describe('a reverse template', () => {
  it.each([
    ['#{id}', '#12'],
    ['{repo}#{id}', 'soup#12'],
    ['{{{id}}}', '{12}'],
    ['{{id}}', '{id}'],
    ['a}b{none}', 'a}b'],
    ['{id}}', '12}'],
    ['', ''],
  ])('%s gives %s', (text, expanded) => {
    expect(expandReverse(text)).toBe(expanded);
  });

  it('lists its variables', () => {
    expect([...ReverseTemplate.parse('{{x}} {id}{repo}{id}').variables]).toEqual(['id', 'repo']);
  });

  it.each([
    ['#{id', "Invalid auto-conversion field: missing '}' character."],
    ['{{{', "Invalid auto-conversion field: missing '}' character."],
    ['{} {', 'Invalid auto-conversion field: empty field name.'],
  ])('%s is refused', (text, refusal) => {
    expect(() => ReverseTemplate.parse(text)).toThrow(refusal);
  });
});
