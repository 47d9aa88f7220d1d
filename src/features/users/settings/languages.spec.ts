import { languageName } from './languages';

describe('languages', () => {
  it('have a name of their own', () => {
    expect(languageName('de')).toBe('Deutsch');
    expect(languageName('pt-br')).toMatch(/português/i);
  });

  it.each(['', 'english', 'xx', 'de; drop', '../de'])('do not include %j', (code) => {
    expect(languageName(code)).toBeUndefined();
  });
});
