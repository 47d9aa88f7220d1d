import { ReverseTemplate } from './reverse-template';

const expand = (text: string) => ReverseTemplate.parse(text).expand({ id: '12', repo: 'soup', none: null });

describe('a reverse template', () => {
  it.each([
    ['#{id}', '#12'],
    ['{repo}#{id}', 'soup#12'],
    ['{{{id}}}', '{12}'],
    ['{{id}}', '{id}'],
    ['a}b{none}', 'a}b'],
    ['{id}}', '12}'],
    ['', ''],
  ])('%s gives %s', (text, expanded) => {
    expect(expand(text)).toBe(expanded);
  });

  it('knows its variables', () => {
    expect([...ReverseTemplate.parse('{{x}} {id}{repo}{id}').variables]).toEqual(['id', 'repo']);
  });

  it.each([
    ['#{id', "Invalid auto-conversion field: missing '}' character."],
    ['{{{', "Invalid auto-conversion field: missing '}' character."],
    ['{} {', 'Invalid auto-conversion field: empty field name.'],
  ])('%s is refused', (text, refusal) => {
    expect(() => ReverseTemplate.parse(text)).toThrow(refusal);
  });
});
