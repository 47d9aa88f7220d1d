import fc from 'fast-check';
import { WordIndex, wordKey } from './alert-word.directory';

function indexOf(...words: string[]): WordIndex {
  const index = new WordIndex();
  words.forEach((word, owner) => index.add(word, owner));
  return index;
}

/** Whether the word occurs in the text. */
const isIn = (word: string, text: string) => indexOf(word).ownersIn(text).has(0);

describe('A word', () => {
  it.each([
    ['soup', 'soup'],
    ['soup', 'Hot SOUP today'],
    ['SOUP', 'soup'],
    ['soup', '(soup)'],
    ['soup', '"Soup!"'],
    ['soup', '“soup”'],
    ['soup', '«soup»'],
    ['soup', "it's soup's day"],
    ['soup', 'bread,soup;salad'],
    ['soup', 'bread—soup—salad'],
    ['soup', 'one\nsoup\ntwo'],
    ['soup', 'soups and soup'],
    ['soup', 'soup?'],
    ['soup', 'soup: hot'],
    ['hot soup', 'very hot soup, please'],
    ['hot soup', 'hot hot soup'],
    ['a b a c', 'a b a b a c'],
    ['c++', 'I like C++.'],
    ['.net', 'with .NET and more'],
    ['foo.bar', 'see foo.bar: it works'],
    ['#123', 'see (#123)'],
    ['Zoë', 'zoe\u0308 is here'],
    ['日本', '日本 に'],
    ['привет', 'ПРИВЕТ, мир'],
    ['👍', 'so 👍 then'],
    ["don't", "Don’t or DON’T or don't"],
  ])('%j is in %j', (word, text) => {
    expect(isIn(word, text)).toBe(true);
  });

  it.each([
    ['soup', ''],
    ['soup', 'soups'],
    ['soup', 'pea-soup'],
    ['soup', 'soup_kitchen'],
    ['soup', '/soup'],
    ['soup', 'https://example.com/soup/1'],
    ['soup', '@soup'],
    ['soup', ':soup:'],
    ['soup', 'so up'],
    ['hot soup', 'hot'],
    ['hot soup', 'hot  soup'],
    ['hot soup', 'hot soups'],
    ['zoe', 'zoë'],
    ['123', '#123'],
    ['123', '1234'],
  ])('%j is not in %j', (word, text) => {
    expect(isIn(word, text)).toBe(false);
  });
});

describe('An index of words', () => {
  it('finds the owners of every word in one pass', () => {
    const index = indexOf('soup', 'hot soup', 'hot soup today', 'salad', 'soup today', 'hot');
    index.add('Soup', 77);
    expect([...index.ownersIn('The hot soup today!')].sort((a, b) => a - b)).toEqual([0, 1, 2, 4, 5, 77]);
    expect(index.ownersIn('nothing')).toEqual(new Set());
  });

  it('forgets removed words, and nothing else', () => {
    const index = indexOf('hot soup', 'hot', 'Hot soup', 'hot soup today');
    index.remove('HOT soup', 0);
    expect(index.ownersIn('hot soup')).toEqual(new Set([1, 2]));
    index.remove('hot soup', 2);
    index.remove('never there', 2);
    expect(index.ownersIn('hot soup today')).toEqual(new Set([1, 3]));
    index.remove('hot', 1);
    index.remove('hot soup today', 3);
    expect(index.ownersIn('hot soup today')).toEqual(new Set());
  });

  it('agrees with searching for each word separately', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', ' ', '.', '-', '(', ')', '\n'),
      maxLength: 24,
    });
    const words = fc.array(
      letters.map((text) => text.trim()).filter((text) => text !== ''),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(words, letters, (given, text) => {
        const expected = given.flatMap((word, owner) =>
          occurs(wordKey(word), wordKey(text)) ? [owner] : [],
        );
        expect([...indexOf(...given).ownersIn(text)].sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });
});

/** A naive implementation of the rule, for the characters of the test above. */
function occurs(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1];
    const after = text[at + word.length];
    const begins = before === undefined || ' \n.('.includes(before);
    const ends = after === undefined || ' \n.)'.includes(after);
    if (begins && ends) return true;
  }
  return false;
}
