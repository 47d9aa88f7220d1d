import { emailSlug } from './channel-email.service';

describe('emailSlug', () => {
  it.each([
    ['Denmark', 'denmark'],
    ['two  words', 'two-words'],
    ['C++ & Rust', 'c-rust'],
    ['a_b', 'a_b'],
    ['Café', 'cafe'],
    ['Cafe\u0301 au lait', 'cafe-au-lait'],
  ])('of "%s" is "%s"', (name, slug) => {
    expect(emailSlug(name)).toBe(slug);
  });

  it.each(['ends with!', '(brackets)', 'Straße', 'שלום', 'naïve 北', '🎉', '_private_'])(
    'is left out for "%s", which would lose something',
    (name) => {
      expect(emailSlug(name)).toBeNull();
    },
  );
});
