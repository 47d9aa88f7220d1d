import { isEmailAddress } from './accounts.service';

describe('email addresses', () => {
  it.each(['mia@example.com', 'mia+lists@sub.example.com', "o'neill@example.com"])('include %s', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    '',
    'mia',
    'mia@',
    '@example.com',
    'mia@exa mple.com',
    'a b@example.com',
    'mia@example.com\n',
    'mia@[127.0.0.1]',
    '"mia"@example.com',
    '"boss@corp.example"@example.com',
  ])('do not include %j', (text) => expect(isEmailAddress(text)).toBe(false));
});
