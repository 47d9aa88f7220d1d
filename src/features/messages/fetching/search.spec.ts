import { parseSearch, phraseMatches } from './search';

const phrases = (text: string) =>
  parseSearch(text)?.phrases.map(({ words, isPrefix }) => words.join(' ') + (isPrefix ? '*' : ''));

describe('parseSearch', () => {
  it.each([
    ['soup noon', ['soup*', 'noon*']],
    ['"Soup at noon" is', ['soup at noon', 'is']],
    ['soup"at noon"', ['soup*', 'at noon']],
    ['"never closed soup', ['never closed soup']],
    ['mia@example.com', ['mia example com*']],
    ['東京 soup', ['東 京', 'soup*']],
    ['a a A', ['a']],
    ['soup "soup"', ['soup*', 'soup']],
    ['AND OR NOT NEAR(soup) -soup soup* ^soup {soup}:', ['and*', 'or', 'not*', 'near soup*', 'soup*']],
  ])('reads %j', (text, expected) => {
    expect(phrases(text)).toEqual(expected);
  });

  it.each(['', ' ', '"', '""', '?!', '🎉', '\0'])('finds nothing to look for in %j', (text) => {
    expect(parseSearch(text)).toBeNull();
  });

  it('ignores everything beyond a reasonable length', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => at.toString(36)).join(' ');
    expect(parseSearch(many)?.phrases).toHaveLength(20);
    expect(parseSearch(`"${many}"`)?.phrases[0]?.words).toHaveLength(60);
  });
});

describe('phraseMatches', () => {
  const marked = (words: string, text: string) => {
    const query = parseSearch(text);
    if (!query) throw new Error('There is nothing to look for.');
    const { found, marked: places } = phraseMatches(words.split(' '), query);
    return { all: found.size === query.phrases.length, at: [...places].sort((a, b) => a - b) };
  };

  it.each([
    ['soup at noon and soups', 'soup', { all: true, at: [0, 4] }],
    ['soup at noon and soups', '"soup"', { all: true, at: [0] }],
    ['soup at noon', '"at noon" soup', { all: true, at: [0, 1, 2] }],
    ['soup at noon', '"soup noon"', { all: false, at: [] }],
    ['soup at noon', 'rice noon', { all: false, at: [2] }],
    ['a a a b', '"a a b"', { all: true, at: [1, 2, 3] }],
    ['mia at', 'mia.at.home', { all: false, at: [] }],
  ])('of %j for %j', (words, text, expected) => {
    expect(marked(words, text)).toEqual(expected);
  });
});
