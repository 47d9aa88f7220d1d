import table from './emoji-table.json';
import { allNames, canonicalName, codeOf, isEmojiName } from './emoji';

const rows = table as [string, ...string[]][];

describe('the emoji table', () => {
  it('has lower-case codes without the variation selector', () => {
    for (const [code] of rows) expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/);
    expect(rows.filter(([code]) => code.split('-').includes('fe0f'))).toEqual([]);
  });

  it('gives every name to exactly one code', () => {
    const names = rows.flatMap(([, ...names]) => names);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\p{Ll}\p{N}_+-]+$/u);
  });

  it('covers the emoji that clients offer', () => {
    expect(rows.length).toBeGreaterThanOrEqual(1870);
  });
});

describe('names and codes', () => {
  it.each([
    ['tada', '1f389'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['octopus', '1f419'],
    ['working_on_it', '1f6e0'],
    ['tools', '1f6e0'],
    ['thinking', '1f914'],
    ['top_hat', '1f3a9'],
    ['puppy', '1f436'],
    ['smile', '1f642'],
    ['big_smile', '1f604'],
    ['heart', '2764'],
    ['one', '0031-20e3'],
    ['check', '2705'],
    ['flag_us', '1f1fa-1f1f8'],
    ['flag_united_states', '1f1fa-1f1f8'],
    ['flag_scotland', '1f3f4-e0067-e0062-e0073-e0063-e0074-e007f'],
    ['transgender_flag', '1f3f3-200d-26a7'],
    ['melting_face', '1fae0'],
    ['kiss', '1f48f'],
    ['cricket', '1f997'],
    ['zebra', '1f993'],
    ['green_circle', '1f7e2'],
    ['gyōza', '1f95f'],
  ])('%s is %s', (name, code) => {
    expect(codeOf(name)).toBe(code);
    expect(isEmojiName(name)).toBe(true);
    expect(allNames(code)).toContain(name);
  });

  it('knows the canonical name and the aliases of a code', () => {
    expect(canonicalName('1f44d')).toBe('+1');
    expect(allNames('1f44d')).toEqual(['+1', 'thumbs_up', 'like']);
  });

  it.each(['no_such_emoji', '', 'Tada', 'constructor', '__proto__'])('does not know %p', (name) => {
    expect(codeOf(name)).toBeUndefined();
    expect(isEmojiName(name)).toBe(false);
    expect(canonicalName(name)).toBeUndefined();
    expect(allNames(name)).toEqual([]);
  });
});
