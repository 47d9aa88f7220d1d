import { isStrongPassword, Passwords } from './passwords';
import { TooManyPasswordChecks } from './secrets.errors';

describe('the strength of a password', () => {
  it.each([
    '',
    '12345',
    'aB3$x',
    'password',
    'abc123',
    'qwertyuiop',
    '19991231',
    'Parley2024!',
    'x'.repeat(24),
    // Known from leaks, though rare.
    'jenova',
    'Chinacat',
    'aaaaaaaaaaaaaaaa',
    // Too short, however random.
    'wq8Lr2z',
  ])('refuses %p', (password) => {
    expect(isStrongPassword(password)).toBe(false);
  });

  it.each(['correct horse', 'Tr0ub4dor&3', 'überraschung!', 'wq8Lr2zK', '🦉🦔🐙🦀🐝🦋🐢🐳'])(
    'accepts %p',
    (password) => {
      expect(isStrongPassword(password)).toBe(true);
    },
  );

  it('counts characters, not bytes', () => {
    expect(isStrongPassword('🦉🦔🐙🦀🐝🦋🐢')).toBe(false);
  });

  it.each([
    'Wolke Sieben GmbH',
    'wolkesieben1',
    'ottilie-2024',
    'Ottilie.Ohm',
    'o.ohm.1987',
    'GmbHgmbh',
    'Wolke123456',
  ])('refuses %p, made of names around the account, but not with more behind it', (password) => {
    expect(isStrongPassword(password, ['Wolke Sieben GmbH', 'Ottilie Ohm', 'o.ohm'])).toBe(false);
    expect(isStrongPassword(`${password} seven umbrellas`, ['Wolke Sieben GmbH', 'Ottilie Ohm'])).toBe(true);
  });

  it('allows names of people in a password', () => {
    expect(isStrongPassword('ottilie-Pw-2024', ['Ottilie Ohm'])).toBe(true);
  });

  it('rates the whole password if its beginning is weak', () => {
    expect(isStrongPassword(`${'a'.repeat(30)}wq8Lr2vT`)).toBe(true);
  });

  it('copes with passwords of any length', () => {
    expect(isStrongPassword('a'.repeat(1_000_000))).toBe(false);
  });
});

describe('passwords', () => {
  const passwords = new Passwords();

  it('are kept as salted argon2id hashes', async () => {
    const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=32768,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  it('match their own hash only', async () => {
    const hash = await passwords.hash('correct horse');
    await expect(passwords.verify(hash, 'correct horse')).resolves.toBe(true);
    await expect(passwords.verify(hash, 'correct horse ')).resolves.toBe(false);
    await expect(passwords.verify(hash, '')).resolves.toBe(false);
  });

  it('never match without an account', async () => {
    await expect(passwords.verifyAny(null, '')).resolves.toBe(false);
    await expect(passwords.verifyAny(null, 'secret')).resolves.toBe(false);
  });

  it('must be strong, unless the server has no sensitive data', () => {
    expect(passwords.accepts('password')).toBe(false);
    expect(passwords.accepts('correct horse')).toBe(true);
    const careless = new Passwords();
    careless.acceptWeak();
    expect(careless.accepts('password')).toBe(true);
  });

  it('are checked a few at a time, and refused when too many wait', async () => {
    const flooded = new Passwords();
    const results = await Promise.allSettled(
      Array.from({ length: 520 }, () => flooded.verify('broken hash', 'x')),
    );
    const refused = results.filter(
      (r) => r.status === 'rejected' && r.reason instanceof TooManyPasswordChecks,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(20);
    const hash = await flooded.hash('secret');
    await expect(flooded.verify(hash, 'secret')).resolves.toBe(true);
  });
});
