const { randomBytes } = require('node:crypto');

// Names what the test files of this run share.
process.env.PARLEY_TEST_RUN ??= randomBytes(6).toString('hex');

/**
 * Unit specs lie beside the code they test (`src`), everything that needs a server or a database under `test`.
 * Type errors are reported by `npm run check`; here TypeScript is only translated, which is much faster.
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.cjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.cjs',
  testSequencer: '<rootDir>/test/support/jest/long-first-sequencer.cjs',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.test.ts'],
  // Not by patterns: what differs here has TypeScript translated anew for each engine.
  filter: '<rootDir>/test/support/jest/engine-filter.cjs',
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }] },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/teardown.ts',
  setupFiles: ['<rootDir>/test/setup.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  reporters: ['default', '<rootDir>/test/spec/rule-reporter.cjs'],
  // A test that hangs is found in the end; one on a busy machine is not called a hang.
  testTimeout: 120_000,
  // One more than the processors of a small machine: tests often wait, for a database, a process or a moment.
  maxWorkers: 3,
};
