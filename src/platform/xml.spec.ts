import { MalformedXml, parseXml } from './xml';

describe('untrusted XML', () => {
  it('is parsed with its text and attributes', () => {
    const { localName, textContent, attributes } = parseXml('<?xml version="1.0"?>\n<a b="1" c="2">x</a>\n');
    expect([localName, textContent, attributes.length]).toEqual(['a', 'x', 2]);
  });

  it.each(['\u2029<a/>', '<a>\u2029</a>', '<a b="\u2029"/>'])(
    'has no paragraph separators, for which lines are searched in quadratic time: %j',
    (text) => {
      expect(() => parseXml(text)).toThrow(MalformedXml);
    },
  );

  it('is refused with the problem, without an unknown location', () => {
    expect(() => parseXml('<a>&evil;</a>')).toThrow(/entity not found:&evil;$/);
  });
});
