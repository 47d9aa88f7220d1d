import { explainStartFailure, StartRefused } from './start-refused';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

it.each([full, new Error('The change could not be stored.', { cause: full })])(
  'a start on a full disk says so, without a stack %#',
  (error) => {
    expect(explainStartFailure(error)).toBe(
      'Parley cannot start.\nThe disk is full. Free some space and start again.\n',
    );
  },
);

it('shows only the message of errors that the operator can fix, and the stack of others', () => {
  expect(explainStartFailure(new StartRefused('PORT is missing.'))).toBe(
    'Parley cannot start.\nPORT is missing.\n',
  );
  expect(explainStartFailure(new Error('odd'))).toMatch(/unexpected error\.\nError: odd\n {4}at /);
});
