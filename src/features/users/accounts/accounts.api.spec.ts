import { checkedFullName, fullNameKey } from './accounts.api';

describe('full names', () => {
  it('are trimmed, and may contain any script', () => {
    expect(checkedFullName('  Zoë Ængström 李  ')).toBe('Zoë Ængström 李');
  });

  it('are measured in code points', () => {
    expect(checkedFullName('😀'.repeat(100))).toHaveLength(200);
    expect(() => checkedFullName('😀'.repeat(101))).toThrow('Name too long!');
  });

  it.each([
    ['', 'Name too short!'],
    [' a ', 'Name too short!'],
    ['a*b', 'Invalid characters in name!'],
    ['a`b', 'Invalid characters in name!'],
    ['a\\b', 'Invalid characters in name!'],
    ['a>b', 'Invalid characters in name!'],
    ['a"b', 'Invalid characters in name!'],
    ['a@b', 'Invalid characters in name!'],
    ['a\tb', 'Invalid characters in name!'],
    ['a\ufffe', 'Invalid characters in name!'],
    ['Mia|12', 'Invalid format!'],
  ])('such as %j are refused', (name, message) => {
    expect(() => checkedFullName(name)).toThrow(message);
  });

  it('are compared regardless of case and width', () => {
    expect(fullNameKey('Ｍia Weiß')).toBe(fullNameKey('MIA WEISS'));
    expect(fullNameKey('Mia')).not.toBe(fullNameKey('Mio'));
  });
});
