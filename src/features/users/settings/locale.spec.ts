import { isTimezone, languageName } from './locale';

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
