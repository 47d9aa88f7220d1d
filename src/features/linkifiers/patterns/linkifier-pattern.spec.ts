import fc from 'fast-check';
import {
  BadPattern,
  CompiledLinkifier,
  LinkifierPattern,
  LinkifierSet,
  LONGEST_PLACE,
  MAX_PLACES,
} from './linkifier-pattern';
import { UrlTemplate } from './url-template';

const compile = (source: string) => LinkifierPattern.compile(source);
const texts = (source: string, text: string) =>
  [...compile(source).places(text)].map(({ start, end }) => text.slice(start, end));

function refusal(source: string): string | null {
  try {
    compile(source);
    return null;
  } catch (error) {
    if (error instanceof BadPattern) return error.message;
    throw error;
  }
}

describe('matches', () => {
  it.each([
    ['#12', ['#12']],
    ['see #12, #13 and (#14).', ['#12', '#13', '#14']],
    ['#12 #13 #14', ['#12', '#13', '#14']],
    ['#12,#13:#14', ['#12', '#13', '#14']],
    [`'#1' "#2" (#3) ,#4 :#5 <#6>`, ['#1', '#2', '#3', '#4', '#5', '#6']],
    ['a\n#1\t#2\u0085#3\u00a0#4\u2003#5\u2028#6', ['#1', '#2', '#3', '#4', '#5', '#6']],
    ['a#12', []],
    ['.#12 -#13 /#14 [#15 ##16 *#17', []],
    ['#12a #13ü #14Ж #15². #16٣', []],
    ['#12- #13_ #14. #15! #16# #17😀', ['#12', '#13', '#14', '#15', '#16', '#17']],
    ['#12#13', ['#12']],
    ['', []],
  ])('stand free: %j', (text, found) => {
    expect(texts(String.raw`#(?P<id>\d+)`, text)).toEqual(found);
  });

  it('include the texts of their groups', () => {
    const pattern = compile(String.raw`(?P<repo>\w+)(?:/(?P<path>\w+))?#(?P<id>\d+)`);
    expect([...pattern.groups]).toEqual(['repo', 'path', 'id']);
    expect([...pattern.places('(soup#7) soup/hot#8')]).toEqual([
      { start: 1, end: 7, groups: { repo: 'soup', path: null, id: '7' } },
      { start: 9, end: 19, groups: { repo: 'soup', path: 'hot', id: '8' } },
    ]);
  });

  it.each([
    [String.raw`#(?P<id>\d+)|#(?P<word>\w+)!`, '#12a!', ['#12a!']],
    [String.raw`#(?P<id>\d+)|#(?P<word>\w+)!`, '#12 #a!', ['#12', '#a!']],
    [String.raw`^#(?P<id>\d+)`, '#1 #2', ['#1']],
    [String.raw`(?m)^#(?P<id>\d+)`, '#1 #2\n#3', ['#1', '#3']],
    [String.raw`#(?P<id>\d+)$`, '#1 #2', ['#2']],
    [String.raw`(?i)bug (?P<id>\d+)`, 'BUG 1 bUg 2', ['BUG 1', 'bUg 2']],
    [String.raw`\b(?P<id>\d+)\b`, '1 22 x3', ['1', '22']],
    [String.raw`(?P<name>\pL+)!`, 'Zoë! Жук!', ['Zoë!', 'Жук!']],
    ['(?P<smile>😀+)', '😀 (😀😀)', ['😀', '😀😀']],
    ['(?P<all>.*)', 'a b\nc', ['a b', 'c']],
    ['(?P<all>a*)', 'b aa ', ['aa']],
    ['(?P<any>(?s).+)', 'a\nb', ['a\nb']],
    ['(?<id>[0-9]+)', '12', ['12']],
  ])('of %s in %j', (source, text, found) => {
    expect(texts(source, text)).toEqual(found);
  });

  it('are found anywhere in a long text, and completely', () => {
    const place = `<${'x'.repeat(LONGEST_PLACE - 2)}>`;
    for (let before = 0; before < 3 * LONGEST_PLACE; before += 19) {
      const text = `${'.'.repeat(before)} ${place} ${'.'.repeat(1000)} <a>`;
      expect(texts('<(?P<name>[^<>]+)>', text)).toEqual([place, '<a>']);
    }
  });

  it('end where the pattern ends, not where a search window ends', () => {
    for (const length of [1, 2, 3].flatMap((windows) =>
      [-2, -1, 0, 1, 2, 3, 4].map((more) => windows * LONGEST_PLACE + more),
    )) {
      const word = 'a'.repeat(length);
      expect(texts('(?P<all>a+)', `${word}b`)).toEqual([]);
      expect(texts('(?P<all>a+)$', `${word} b`)).toEqual([]);
      expect(texts('(?P<all>a+)', `${word}𝒷`)).toEqual([]);
    }
  });

  it('are limited in number', () => {
    expect(texts('(?P<x>a)', 'a '.repeat(5000))).toHaveLength(MAX_PLACES);
  });

  it.each([
    ['((a+)+)+(?P<x>b)', 'a'.repeat(10_000), 0],
    ['(?P<x>(a|aa)+)b', 'a'.repeat(10_000), 0],
    ['(?P<x>(.*)(.*)(.*)(.*)(.*)b)', ','.repeat(10_000), 0],
    ['(?P<x>[a ]{0,60}[a ]{0,60}[a ]{0,60}b)', 'a '.repeat(5000), 0],
    ['(?P<x>a(?:(?:.*){10}b)?)', 'a '.repeat(5000), MAX_PLACES],
  ])('of %s are found without going back and forth', (source, hostile, count) => {
    // The b is where it does not help, so that searches do not fail early for lack of one.
    expect(texts(source, `${hostile}cbc`)).toHaveLength(count);
  });
});

describe('the first match anywhere', () => {
  it('need not be surrounded by delimiters', () => {
    expect(compile(String.raw`#(?P<id>\d+)`).find('a#12b')).toEqual({ id: '12' });
    expect(compile(String.raw`#(?P<id>\d+)`).find('a#b')).toBeNull();
  });
});

describe('a pattern', () => {
  it.each([
    ['(foo', 'missing ): (foo'],
    ['foo)', 'unexpected ): foo)'],
    ['[a', 'missing ]: [a'],
    ['[z-a]', 'invalid character class range: z-a'],
    ['*a', 'no argument for repetition operator: *'],
    ['a**', 'bad repetition operator: **'],
    ['a{1001}', 'invalid repetition size: {1001}'],
    ['\\', 'trailing \\'],
    ['(?!x)', 'invalid perl operator: (?!'],
    ['(?=x)', 'invalid perl operator: (?='],
    [String.raw`(a)\1`, String.raw`invalid escape sequence: \1`],
    ['(?P<id', 'invalid named capture group: (?P<id'],
    ['(?P<id>a)(?P<id>b)', 'invalid named capture group: id'],
    ['(?<=a)b', 'invalid named capture group: (?<=a)b'],
    [String.raw`a\Qb`, expect.stringContaining('missing )')],
    ['((a{100}){100}){100}', 'invalid repetition size: {100}'],
    ['(abcdef){100}', 'pattern too large - compile failed'],
  ])('is refused: %s', (source, reason) => {
    expect(refusal(source)).toEqual(reason);
  });

  it('is refused no matter how large it would become', () => {
    expect(refusal(`(${'ab'.repeat(240)}){1000}`)).toBe('pattern too large - compile failed');
    expect(refusal(`${'('.repeat(2000)}a${')'.repeat(2000)}`)).toBe('expression nests too deeply');
  });
});

function linkifier(id: number, pattern: string, template = 'https://x.org/{id}'): CompiledLinkifier {
  return new CompiledLinkifier(id, LinkifierPattern.compile(pattern), UrlTemplate.parse(template)!);
}

const ids = (set: LinkifierSet, text: string) => set.within(text).map(({ id }) => id);

describe('a linkifier', () => {
  it('links to the expanded template', () => {
    const [match] = linkifier(1, '(?P<org>[^/ ]+)/(?P<id>.+)!', 'https://x.org/{+org}{?id}').matches(
      'a&b/ö 1!',
    );
    expect(match).toEqual({ start: 0, end: 8, text: 'a&b/ö 1!', url: 'https://x.org/a&b?id=%C3%B6%201' });
  });

  it('omits groups that did not participate', () => {
    const [match] = linkifier(1, '#(?P<id>1)?(?P<other>2)?', 'https://x.org/{id}{?other}').matches('#1');
    expect(match?.url).toBe('https://x.org/1');
  });

  it('limits the length of URLs', () => {
    const twenty = linkifier(1, '(?P<id>ж+)', '{id}'.repeat(20));
    expect([...twenty.matches('ж '.repeat(3))]).toHaveLength(3);
    expect([...twenty.matches('ж'.repeat(100))]).toEqual([]);
  });
});

describe('a set of linkifiers', () => {
  it('returns those that may match, in order', () => {
    const set = new LinkifierSet([
      linkifier(9, String.raw`#(?P<id>\d+)`),
      linkifier(3, String.raw`soup(?P<id>\d+)`),
      linkifier(5, '^(?P<id>[a-z]+)$'),
    ]);
    expect(ids(set, 'soup1 #2')).toEqual([9, 3]);
    expect(ids(set, 'word')).toEqual([5]);
    expect(ids(set, 'x#12')).toEqual([]);
    expect(ids(new LinkifierSet([]), '#12')).toEqual([]);
  });

  it('never omits one that matches', () => {
    const sources = [
      '#(?P<id>[a-c]+)',
      '(?P<id>a|ab+)c?',
      String.raw`\b(?P<id>b.*)$`,
      '(?im)^(?P<id>A{2,3})',
    ];
    const linkifiers = sources.map((source, at) => linkifier(at, source));
    const set = new LinkifierSet(linkifiers);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcA# (\n.é'), maxLength: 30 }), (text) => {
        const matching = linkifiers.filter((each) => [...each.matches(text)].length > 0);
        expect(ids(set, text)).toEqual(expect.arrayContaining(matching.map(({ id }) => id)));
      }),
      { numRuns: 500 },
    );
  });

  it('supports patterns whose automaton would be too large', () => {
    const many = Array.from({ length: 100 }, (_, at) => linkifier(at, `(?P<id>[ab]{1,9}[ab]a[ab]{8})${at}!`));
    const text = Array.from({ length: 5000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : ',')).join('');
    expect(ids(new LinkifierSet(many), `${text} aaaaaaaaaa99!`)).toEqual([]);
    expect(ids(new LinkifierSet(many), `${text} aaaaaaaaaaa99!`)).toEqual([99]);
  });
});
