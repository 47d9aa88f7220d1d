import {
  checkTopicCharacters,
  isReadBySender,
  normalizeContent,
  normalizeTopic,
} from './message-text.service';

describe('normalizeContent', () => {
  it('drops line feeds at the start and white space at the end', () => {
    expect(normalizeContent('\n\n  code\n\nmore \n ')).toBe('  code\n\nmore');
  });

  it('cuts to 10,000 code points, the mark included', () => {
    const exact = '😀'.repeat(10_000);
    expect(normalizeContent(exact)).toBe(exact);
    const cut = normalizeContent(`${exact}!`);
    expect(Array.from(cut)).toHaveLength(10_000);
    expect(cut.endsWith('😀\n[message truncated]')).toBe(true);
  });

  it.each(['', ' \n\t ', '\n'])('refuses %j', (content) => {
    expect(() => normalizeContent(content)).toThrow('Message must not be empty');
  });

  it('refuses a NUL', () => {
    expect(() => normalizeContent('a\0b')).toThrow('Message must not contain null bytes');
  });
});

describe('normalizeTopic', () => {
  it.each([
    ['  lunch ', 'lunch'],
    ['general chat', ''],
    ['(no topic)', ''],
    ['General Chat', 'General Chat'],
    ['', ''],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
  ])('%j becomes %j', (topic, expected) => {
    expect(normalizeTopic(topic, 'general chat')).toBe(expected);
  });
});

describe('checkTopicCharacters', () => {
  it('reports the position of the first bad character, in code points from 1', () => {
    expect(() => checkTopicCharacters('😀a\nb')).toThrow('Invalid character in topic, at position 3!');
    expect(() => checkTopicCharacters('\ufdd0')).toThrow('at position 1!');
    expect(() => checkTopicCharacters('a\ud800')).toThrow('at position 2!');
  });

  it('accepts everything else', () => {
    expect(() => checkTopicCharacters(' #/*é😀 עברית ')).not.toThrow();
  });
});

describe('isReadBySender', () => {
  it('is true for programs in which people read, ignoring case', () => {
    expect(['website', 'ZulipTerminal', 'ZulipMobile'].map(isReadBySender)).toEqual([true, true, true]);
    expect(['ZulipPython', 'zulip-js', 'Unspecified'].map(isReadBySender)).toEqual([false, false, false]);
  });
});
