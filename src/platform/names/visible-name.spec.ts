import {
  composedName,
  forbiddenPlace,
  unprintablePlace,
  withoutHidden,
  withoutLeadingMarks,
} from './visible-name';

const SEEN = [
  'general',
  'Zoë Müller-Łęcki 3',
  '#1 / *a* (b)',
  '日本語 한국어 עברית العربية ไทย',
  '👍 👩‍🚀 👨‍👩‍👧‍👦 ❤️ ✔ 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪 3️⃣ 👋🏽 ☎︎',
  'می‌خواهم',
  'क्‍ष श्री‌मान',
  '葛󠄀城',
];

const HIDDEN: readonly [string, string, number][] = [
  ['a zero-width space', 'gen\u200beral', 4],
  ['a zero-width joiner between Latin letters', 'gen\u200deral', 4],
  ['a zero-width non-joiner at the end', 'general\u200c', 8],
  ['a word joiner', 'a\u2060b', 2],
  ['a byte order mark', '\ufeffgeneral', 1],
  ['a soft hyphen', 'gen\u00aderal', 4],
  ['a mark of direction', 'a\u200eb', 2],
  ['an override of direction', 'Max \u202egro', 5],
  ['an isolate', 'a\u2066b\u2069', 2],
  ['a Hangul filler', 'a\u3164b', 2],
  ['a variation selector after a letter', 'a\ufe0f', 2],
  ['the blank of Braille', 'a\u2800b', 2],
  ['other fillers', 'a\u115fb\u1160', 2],
  ['tags', 'admin\u{e0061}', 6],
  ['tags after an emoji that is no flag', '😀\u{e0061}\u{e007f}', 2],
  ['two variation selectors', '❤️\ufe0f', 3],
];

describe('a name', () => {
  it.each(SEEN)('may be %s', (name) => {
    expect(forbiddenPlace(name)).toBe(0);
    expect(withoutHidden(name)).toBe(name);
  });

  it.each(HIDDEN)('may not contain %s', (_what, name, place) => {
    expect(forbiddenPlace(name)).toBe(place);
    expect(unprintablePlace(name)).toBe(0);
    expect(forbiddenPlace(withoutHidden(name))).toBe(0);
  });

  it.each(['\n', '\0', '\u0085', '\u2028', '\u2029', '\ufdd0', '\ud800', '\u{1ffff}'])(
    'may not hold %j, which cannot be shown',
    (character) => {
      expect(forbiddenPlace(`😀a${character}`)).toBe(3);
      expect(unprintablePlace(`😀a${character}`)).toBe(3);
    },
  );

  it('is normalized', () => {
    expect(composedName(' Zoe\u0308 ')).toBe('Zoë');
    expect(composedName('\u1112\u1161\u11ab')).toBe('한');
  });

  it('has only ordinary spaces', () => {
    expect(composedName('\u3000a\u00a0\u2003 b  c\u1680')).toBe('a b c');
  });

  it('does not start with a combining mark', () => {
    expect(forbiddenPlace('\u0301a')).toBe(1);
    expect(forbiddenPlace('\u20dda')).toBe(1);
    expect(withoutLeadingMarks('\u0301\u0302a\u0301')).toBe('a\u0301');
  });

  it('is checked quickly, whatever it contains', () => {
    for (const part of ['\u200d', '👩\u200d', '\u{1f3f4}\u{e0061}', 'क\u094d', '\ufe0f']) {
      expect(forbiddenPlace(part.repeat(20_000))).toBeGreaterThanOrEqual(0);
    }
  });
});
