import { driversToTry } from './sqlite-driver';

describe('the SQLite driver', () => {
  it.each(['20.19.0', '22.23.2', '24.18.1'])('is better-sqlite3 on Node.js %s, if available', (version) => {
    expect(driversToTry('auto', version)).toEqual(['better-sqlite3', 'libsql']);
  });

  it.each(['24.19.0', '24.21.0', '26.0.0'])('is libsql on Node.js %s, if available', (version) => {
    expect(driversToTry('auto', version)).toEqual(['libsql', 'better-sqlite3']);
  });

  it.each(['better-sqlite3', 'libsql'] as const)('is %s if configured', (name) => {
    expect(driversToTry(name, '24.21.0')).toEqual([name]);
  });
});
