import fc from 'fast-check';
import { isUnspaced, wordsOf } from './words';

const texts = (text: string) => wordsOf(text).map((word) => word.text);

describe('wordsOf', () => {
  it.each([
    ['Soup at noon?', ['soup', 'at', 'noon']],
    ["don't e-mail a_b@example.com v2.0", ['don', 't', 'e', 'mail', 'a', 'b', 'example', 'com', 'v2', '0']],
    ['Crème BRÛLÉE', ['creme', 'brulee']],
    ['cre\u0300me', ['creme']],
    ['STRASSE Straße STRAẞE', ['strasse', 'strasse', 'strasse']],
    ['Øresund Łódź Ærø', ['oresund', 'lodz', 'aero']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['İstanbul ısı', ['istanbul', 'isi']],
    ['Ёлка', ['елка']],
    ['שָׁלוֹם', ['שלום']],
    ['हिन्दी', ['हिन्दी']],
    ['東京タワー 2024', ['東', '京', 'タ', 'ワ', 'ー', '2024']],
    ['ﬁne ½', ['fine', '1', '2']],
    ['한국어', ['한국어'.normalize('NFKD')]],
    ['🎉 !?', []],
    ['⺀ ⿰ ๏ ⽔ ㋐', ['水', 'ア']],
    ['\u0301', []],
    ['a\0b \ud800c', ['a', 'b', 'c']],
  ])('of %j are %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('carry their positions in the text', () => {
    const text = 'Ein Crème-Törtchen, 東京';
    const written = wordsOf(text).map(({ start, end }) => text.slice(start, end));
    expect(written).toEqual(['Ein', 'Crème', 'Törtchen', '東', '京']);
  });

  it('are limited in length and number', () => {
    expect(texts('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
    expect(texts('ü'.repeat(1000))).toEqual(['u'.repeat(64)]);
    expect(texts(`${'x'.repeat(63)}𐐨𐐨`)).toEqual(['x'.repeat(63)]);
    expect(texts('a '.repeat(20_000))).toHaveLength(16_383);
  });

  it('contain no query syntax of an engine, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        for (const word of texts(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,64}$/u);
      }),
    );
  });

  it('stay the same when normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const words = texts(text);
        expect(texts(words.join(' '))).toEqual(words);
      }),
    );
  });
});

it('isUnspaced knows characters that are words by themselves', () => {
  expect(['京', 'ー', 'ก', 'a', '京都'].map(isUnspaced)).toEqual([true, true, true, false, false]);
});
