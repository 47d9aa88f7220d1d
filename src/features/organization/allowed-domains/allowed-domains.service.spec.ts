import { checkedDomain } from './allowed-domains.service';

describe('the name of a domain', () => {
  it.each([
    ['example.org', 'example.org'],
    [' Mail.EXAMPLE.org ', 'mail.example.org'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['1-2.3', '1-2.3'],
  ])('%s is taken as %s', (given, taken) => {
    expect(checkedDomain(given)).toBe(taken);
  });

  it.each([
    [' ', "Domain can't be empty."],
    ['localhost', 'Domain must have at least one dot (.)'],
    [`${'x'.repeat(252)}.org`, 'Domain is too long'],
    ['.example.org', 'Domain cannot start or end with a dot (.)'],
    ['example.org.', 'Domain cannot start or end with a dot (.)'],
    ['example..org', "Consecutive '.' are not allowed."],
    ['-example.org', "Subdomains cannot start or end with a '-'."],
    ['example-.org', "Subdomains cannot start or end with a '-'."],
    ['exa_mple.org', "Domain can only have letters, numbers, '.' and '-'s."],
    ['münchen.de', "Domain can only have letters, numbers, '.' and '-'s."],
    ['a\0b.org', "Domain can only have letters, numbers, '.' and '-'s."],
  ])('%j is refused', (given, reason) => {
    expect(() => checkedDomain(given)).toThrow(`Invalid domain: ${reason}`);
  });
});
