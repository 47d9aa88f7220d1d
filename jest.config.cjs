const { randomBytes } = require('node:crypto');

const engine = process.env.TEST_ENGINE || 'sqlite';
// Names what the test files of this run share.
process.env.PARLEY_TEST_RUN ??= randomBytes(6).toString('hex');

/** What tells nothing new with the engine, each because it takes a minute or two. */
const toldOnce = {
  sqlite: [],
  // The document leaves the driver of SQLite to the server.
  libsql: ['<rootDir>/test/tour/operations'],
  // Pages know the interface alone, as what tries the conformance checks does; the server for tests has a database of its own, in
  // memory, and each fault befalls the one that it is about.
  postgres: [
    '<rootDir>/test/browser/',
    '<rootDir>/test/cli/(test-server|web-app|conformance-faults)',
    '<rootDir>/test/faults/faults',
  ],
};

/**
 * Unit specs lie beside the code they test (`src`), everything that needs a server or a database under `test`.
 * Unit specs know no database, so they run with the default engine alone.
 * Type errors are reported by `npm run check`; here TypeScript is only translated, which is much faster.
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.cjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.cjs',
  testSequencer: '<rootDir>/test/support/jest/long-first-sequencer.cjs',
  testMatch: [...(engine === 'sqlite' ? ['<rootDir>/src/**/*.spec.ts'] : []), '<rootDir>/test/**/*.test.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }] },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: ['/node_modules/', ...toldOnce[engine]],
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
