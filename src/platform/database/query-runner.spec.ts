import { NumberList, toDriver } from './query-runner';

describe('placeholders', () => {
  it('numbers the parameters for PostgreSQL and leaves them for SQLite', () => {
    const sql = 'UPDATE t SET a = ?, b = ? WHERE id = ?';
    expect(toDriver('postgres', sql, [1, 'x', 2])).toEqual({
      text: 'UPDATE t SET a = $1, b = $2 WHERE id = $3',
      values: [1, 'x', 2],
    });
    expect(toDriver('sqlite', sql, [1, 'x', 2])).toEqual({ text: sql, values: [1, 'x', 2] });
  });

  it('turns a list into one parameter', () => {
    const sql = 'SELECT 1 FROM t WHERE a = ? AND id in ( ? ) AND name NOT IN (?)';
    expect(toDriver('postgres', sql, [true, [1, 2], ['x']])).toEqual({
      text: 'SELECT 1 FROM t WHERE a = $1 AND id = ANY ($2) AND name <> ALL ($3)',
      values: [true, new NumberList([1, 2]), ['x']],
    });
    expect(toDriver('sqlite', sql, [true, [1, 2], ['x']])).toEqual({
      text:
        'SELECT 1 FROM t WHERE a = ? AND id IN (SELECT value FROM json_each(?)) ' +
        'AND name NOT IN (SELECT value FROM json_each(?))',
      values: [1, '[1,2]', '["x"]'],
    });
  });

  it('ignores question marks in literals, quoted names and comments', () => {
    const sql = `SELECT 'it''s ?', "a?" -- really?\n /* ? */ FROM t WHERE a = ? AND b IN (?, ?)`;
    expect(toDriver('postgres', sql, [1, 2, 3]).text).toBe(
      `SELECT 'it''s ?', "a?" -- really?\n /* ? */ FROM t WHERE a = $1 AND b IN ($2, $3)`,
    );
  });

  it('keeps SQLite from compiling a statement for each limit', () => {
    const sql = 'SELECT 1 FROM t WHERE limited = ? LIMIT ?';
    expect(toDriver('sqlite', sql, [1, 2]).text).toBe('SELECT 1 FROM t WHERE limited = ? LIMIT ? + 0');
    expect(toDriver('postgres', sql, [1, 2]).text).toBe('SELECT 1 FROM t WHERE limited = $1 LIMIT $2');
  });

  it('refuses values that do not fit', () => {
    expect(() => toDriver('sqlite', 'SELECT ?', [])).toThrow('0 values for 1 placeholders in: SELECT ?');
    expect(() => toDriver('sqlite', 'SELECT ?', [[1]])).toThrow(TypeError);
    expect(() => toDriver('postgres', 'SELECT 1 WHERE 1 IN (?)', [1])).toThrow(TypeError);
  });
});
