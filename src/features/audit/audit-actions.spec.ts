import { differences, storedDetails } from './audit-actions';

describe('The details of an audit entry', () => {
  it('are stored unchanged while they are short', () => {
    expect(storedDetails({ from: 400, to: 200 })).toBe('{"from":400,"to":200}');
  });

  it('are truncated if texts or lists are long', () => {
    const { name, ids } = JSON.parse(
      storedDetails({ name: 'x'.repeat(500), ids: Array.from({ length: 30 }, (_, i) => i) }),
    );
    expect(name).toBe(`${'x'.repeat(100)}…`);
    expect(ids).toHaveLength(21);
    expect(ids[20]).toBe('… 10 more');
  });

  it('never cut a character in two', () => {
    const { name } = JSON.parse(storedDetails({ name: 'x' + '😀'.repeat(60) }));
    expect(name.isWellFormed()).toBe(true);
  });

  it('keep only their names if they are too long', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`name${i}`, 'y'.repeat(90)]));
    const stored = storedDetails(many);
    expect(stored.length).toBeLessThanOrEqual(2000);
    expect(JSON.parse(stored).too_long[0]).toBe('name0');
  });

  it('have limited nesting', () => {
    let deep: object = {};
    for (let i = 0; i < 50; i += 1) deep = { deep };
    expect(storedDetails(deep as Record<string, unknown>).length).toBeLessThan(100);
  });
});

describe('Differences', () => {
  it('are the changed values, before and after', () => {
    expect(differences({ a: 1, b: [1], c: 3 }, { a: 2, b: [1], c: undefined, d: null })).toEqual({
      a: { from: 1, to: 2 },
      d: { from: null, to: null },
    });
  });

  it('are null if nothing changed', () => {
    expect(differences({ a: 1 }, { a: 1 })).toBeNull();
  });
});
