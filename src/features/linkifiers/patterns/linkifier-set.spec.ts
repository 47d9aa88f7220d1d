import fc from 'fast-check';
import { UrlTemplate } from './url-template';
import { LinkifierPattern } from './linkifier-pattern';
import { CompiledLinkifier, LinkifierSet } from './linkifier-set';

function linkifier(id: number, pattern: string, template = 'https://x.org/{id}'): CompiledLinkifier {
  return new CompiledLinkifier(id, LinkifierPattern.compile(pattern), UrlTemplate.parse(template)!);
}

const ids = (set: LinkifierSet, text: string) => set.within(text).map(({ id }) => id);

describe('a linkifier', () => {
  it('leads where its template says', () => {
    const [match] = linkifier(1, '(?P<org>[^/ ]+)/(?P<id>.+)!', 'https://x.org/{+org}{?id}').matches(
      'a&b/ö 1!',
    );
    expect(match).toEqual({ start: 0, end: 8, text: 'a&b/ö 1!', url: 'https://x.org/a&b?id=%C3%B6%201' });
  });

  it('leaves out of the address what took no part', () => {
    const [match] = linkifier(1, '#(?P<id>1)?(?P<other>2)?', 'https://x.org/{id}{?other}').matches('#1');
    expect(match?.url).toBe('https://x.org/1');
  });

  it('makes no address without end', () => {
    const twenty = linkifier(1, '(?P<id>ж+)', '{id}'.repeat(20));
    expect([...twenty.matches('ж '.repeat(3))]).toHaveLength(3);
    expect([...twenty.matches('ж'.repeat(100))]).toEqual([]);
  });
});

describe('a set of linkifiers', () => {
  it('names those that may match, in their order', () => {
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

  it('never leaves one out that matches', () => {
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

  it('serves patterns that have no automaton of bearable size', () => {
    const many = Array.from({ length: 100 }, (_, at) => linkifier(at, `(?P<id>[ab]{1,9}[ab]a[ab]{8})${at}!`));
    const text = Array.from({ length: 5000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : ',')).join('');
    expect(ids(new LinkifierSet(many), `${text} aaaaaaaaaa99!`)).toEqual([]);
    expect(ids(new LinkifierSet(many), `${text} aaaaaaaaaaa99!`)).toEqual([99]);
  });
});
