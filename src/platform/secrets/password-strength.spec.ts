import { isStrongPassword } from './password-strength';

describe('the strength of a password', () => {
  it.each([
    '',
    '12345',
    'aB3$x',
    'password',
    'abc123',
    'qwertyuiop',
    '19991231',
    'x'.repeat(24),
    'aaaaaaaaaaaaaaaa',
  ])('refuses %p', (password) => {
    expect(isStrongPassword(password)).toBe(false);
  });

  it.each(['correct horse', 'Tr0ub4dor&3', 'überraschung!', 'wq8Lr2', '🦉🦔🐙🦀🐝🦋'])(
    'accepts %p',
    (password) => {
      expect(isStrongPassword(password)).toBe(true);
    },
  );

  it('counts characters, not bytes', () => {
    expect(isStrongPassword('🦉🦔🐙🦀🐝')).toBe(false);
  });

  it('looks at the whole of a password whose beginning is weak', () => {
    expect(isStrongPassword(`${'a'.repeat(30)}wq8Lr2vT`)).toBe(true);
  });

  it('copes with passwords of any length', () => {
    expect(isStrongPassword('a'.repeat(1_000_000))).toBe(false);
  });
});
