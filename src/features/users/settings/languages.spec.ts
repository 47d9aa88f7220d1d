import { languageName } from './languages';

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
