import { isSameSecret, SecretLinks } from './secret-links';
import { DerivedKeys, ServerSecret } from './server-secret';

const linksOf = (secretKey: string, secretKeyPrevious: string | null = null) =>
  new SecretLinks(new DerivedKeys(ServerSecret.open({ secretKey, secretKeyPrevious, dataDir: '' })));

const links = linksOf('a'.repeat(32));

describe('The secret part of a link', () => {
  it('consists of lower-case letters and digits, like the random value', () => {
    expect(links.signature('invitations', 'x')).toMatch(/^[a-z2-7]{24}$/);
    expect(SecretLinks.newNonce()).toMatch(/^[a-z2-7]{16}$/);
    expect(SecretLinks.newNonce()).not.toBe(SecretLinks.newNonce());
  });

  it('depends on the secret, the purpose and the subject', () => {
    const all = [
      links.signature('invitations', 'x'),
      links.signature('invitations', 'y'),
      links.signature('password-resets', 'x'),
      linksOf('b'.repeat(32)).signature('invitations', 'x'),
    ];
    expect(new Set(all).size).toBe(4);
  });

  it('is accepted only under the current and the previous secret', () => {
    const given = links.signature('invitations', 'x');
    const rotated = linksOf('b'.repeat(32), 'a'.repeat(32));
    expect(links.matches('invitations', 'x', given)).toBe(true);
    expect(rotated.matches('invitations', 'x', given)).toBe(true);
    expect(linksOf('b'.repeat(32)).matches('invitations', 'x', given)).toBe(false);
    expect(links.matches('invitations', 'y', given)).toBe(false);
    expect(links.matches('invitations', 'x', given.slice(1))).toBe(false);
    expect(links.matches('invitations', 'x', '')).toBe(false);
  });
});

it.each<[string, boolean]>([
  ['the secret', true],
  ['', false],
  ['the secret ', false],
  ['the secre', false],
  ['The secret', false],
])('%j', (given, isSame) => {
  expect(isSameSecret(given, 'the secret')).toBe(isSame);
});
