import { isDatabaseUnreachable, isDiskFull, isTimedOut } from './outages';

const failed = (code: string) => Object.assign(new Error('failed'), { driverError: { code } });

it.each([
  failed('ECONNREFUSED'),
  failed('57P01'),
  failed('08006'),
  failed('SQLITE_IOERR_READ'),
  failed('SQLITE_CANTOPEN'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new Error('The change could not be stored.', { cause: failed('ECONNRESET') }),
])('an outage of the database is one: %p %#', (error) => {
  expect(isDatabaseUnreachable(error)).toBe(true);
  expect(isDiskFull(error)).toBe(false);
});

it.each([
  failed('23505'),
  failed('42P01'),
  failed('SQLITE_CONSTRAINT_UNIQUE'),
  new TypeError('x'),
  null,
  'text',
])('anything else is none: %p %#', (error) => {
  expect(isDatabaseUnreachable(error)).toBe(false);
});

it('a statement timeout is recognized by its code', () => {
  expect(isTimedOut(failed('57014'))).toBe(true);
  expect(isTimedOut(failed('57P01'))).toBe(false);
});

it('a full disk is recognized by its cause', () => {
  expect(isDiskFull(new Error('not stored', { cause: failed('SQLITE_FULL') }))).toBe(true);
  expect(isDatabaseUnreachable(failed('SQLITE_FULL'))).toBe(false);
});
