import { canonicalTimeZone, languageName } from './locale';

describe('languages', () => {
  it('have an English name', () => {
    expect(languageName('de')).toBe('German');
    expect(languageName('pt-br')).toBe('Portuguese (Brazil)');
    expect(languageName('pt_BR')).toBe('Portuguese (Brazil)');
    expect(languageName('zh-hans')).toMatch(/^Chinese \(Simplified/);
  });

  it.each(['', 'english', 'xx', 'de; drop', '../de'])('do not include %j', (code) => {
    expect(languageName(code)).toBeUndefined();
  });
});

describe('time zones', () => {
  it.each(['Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    'include %s',
    (name) => expect(canonicalTimeZone(name)).toBe(name),
  );

  it.each([
    ['US/Mountain', 'America/Denver'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['UTC', 'Etc/UTC'],
    ['NZ-CHAT', 'Pacific/Chatham'],
  ])('have a present name: %s is %s', (old, present) => {
    expect(canonicalTimeZone(old)).toBe(present);
    expect(canonicalTimeZone(present)).toBe(present);
  });

  it('keep names of places that are canonical', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      const canonical = canonicalTimeZone(name) as string;
      expect(canonicalTimeZone(canonical)).toBe(canonical);
    }
    expect(canonicalTimeZone('Europe/Amsterdam')).toBe('Europe/Amsterdam');
    expect(canonicalTimeZone('Europe/Bratislava')).toBe('Europe/Bratislava');
  });

  it.each(['', 'Europe', 'europe/berlin', 'us/mountain', '+01:00', 'Mars/Olympus', 'Europe/Berlin '])(
    'do not include %j',
    (name) => expect(canonicalTimeZone(name)).toBeUndefined(),
  );
});
