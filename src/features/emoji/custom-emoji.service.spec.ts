import { isDefaultEmoji, newEmojiName } from './custom-emoji.service';

it.each([
  ['party', 'party'],
  ['party parrot', 'party_parrot'],
  ['  a-b_c 1 ', 'a-b_c_1'],
  ['7', '7'],
  ['-a', '-a'],
])('%j names an emoji %s', (asked, name) => {
  expect(newEmojiName(asked)).toBe(name);
});

it.each(['a-', 'a_', 'a -', '-', '___'])('%j ends wrongly', (asked) => {
  expect(() => newEmojiName(asked)).toThrow('Emoji names must end with either a letter or digit.');
});

it.each(['Party', 'ä', 'a.b', 'a/b', 'a:b', '😀', 'a\nb', 'a\tb', 'a\0'])(
  '%j holds what it may not',
  (asked) => {
    expect(() => newEmojiName(asked)).toThrow(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  },
);

it.each(['', '  '])('%j is not a name', (asked) => {
  expect(() => newEmojiName(asked)).toThrow('Emoji name is missing');
});

it('knows which names are taken in every organization', () => {
  expect(['tada', 'thumbs_up', 'zulip', 'party_parrot'].map(isDefaultEmoji)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
