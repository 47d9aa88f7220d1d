import { fitsPattern, isWanted } from './event-filter';

describe('Patterns of events', () => {
  it.each([
    ['push', 'push', true],
    ['push', 'pus', false],
    ['push_commits', 'push*', true],
    ['push_commits', '*commits', true],
    ['push', 'p?sh', true],
    ['push', 'p[a-z]sh', true],
    ['push', 'p[!u]sh', false],
    ['p]sh', 'p[]]sh', true],
    ['p[sh', 'p[sh', true],
    ['a-b', 'a[-]b', true],
    ['anything', '*', true],
    ['', '*', true],
    ['', '', true],
    ['a', '', false],
  ])('%s, %s: %s', (name, pattern, fits) => {
    expect(fitsPattern(name, pattern)).toBe(fits);
  });

  it('take no longer for patterns that nearly fit in many ways', () => {
    expect(fitsPattern('a'.repeat(100), `${'*a'.repeat(99)}*b`)).toBe(false);
  });
});

describe('Filters', () => {
  it('want what fits one of the first, and none of the second', () => {
    expect(isWanted('push', {})).toBe(true);
    expect(isWanted('push', { only: [] })).toBe(false);
    expect(isWanted('push', { only: ['p*'], except: ['push'] })).toBe(false);
    expect(isWanted(null, { only: [] })).toBe(true);
  });
});
