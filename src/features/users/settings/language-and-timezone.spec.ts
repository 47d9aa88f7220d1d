import { isEmailAddress } from '../accounts/email-address';
import { languageName } from './language';
import { isTimezone } from './timezone';

describe('time zones', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    'include %s',
    (name) => expect(isTimezone(name)).toBe(true),
  );

  it.each(['', 'Europe', 'europe/berlin', '+01:00', 'Mars/Olympus', 'Europe/Berlin '])(
    'do not include %j',
    (name) => expect(isTimezone(name)).toBe(false),
  );
});

describe('languages', () => {
  it('have a name of their own', () => {
    expect(languageName('de')).toBe('Deutsch');
    expect(languageName('pt-br')).toMatch(/português/i);
  });

  it.each(['', 'english', 'xx', 'de; drop', '../de'])('do not include %j', (code) => {
    expect(languageName(code)).toBeUndefined();
  });
});

describe('e-mail addresses', () => {
  it.each(['mia@example.com', 'mia+lists@sub.example.com', "o'neill@example.com"])('include %s', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each(['', 'mia', 'mia@', '@example.com', 'mia@exa mple.com', 'a b@example.com', 'mia@example.com\n'])(
    'do not include %j',
    (text) => expect(isEmailAddress(text)).toBe(false),
  );
});
