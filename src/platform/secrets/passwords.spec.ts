import { Passwords } from './passwords';
import { TooManyPasswordChecks, WeakPassword } from './secrets.errors';

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

  it('never match where there is no account', async () => {
    await expect(passwords.verifyAny(null, '')).resolves.toBe(false);
    await expect(passwords.verifyAny(null, 'secret')).resolves.toBe(false);
  });

  it('must be strong', () => {
    expect(() => passwords.requireStrong('password')).toThrow(WeakPassword);
    expect(() => passwords.requireStrong('correct horse')).not.toThrow();
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
