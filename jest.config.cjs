const { randomBytes } = require('node:crypto');

// Names what the test files of this run share.
process.env.PARLEY_TEST_RUN ??= randomBytes(6).toString('hex');

/** What `tsconfig.json` says, in the words of SWC, which takes two seconds for all files where the compiler takes twenty. */
const TRANSLATION = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/**
 * Unit specs lie beside the code they test (`src`), everything that needs a server or a database under `test`.
 * Type errors are reported by `npm run check`; here TypeScript is only translated, which is much faster.
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.cjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.cjs',
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.test.ts'],
  // Not by patterns: what differs here has TypeScript translated anew for each engine.
  filter: '<rootDir>/test/support/jest/engine-filter.cjs',
  transform: { '^.+\\.ts$': ['@swc/jest', TRANSLATION] },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/teardown.ts',
  setupFiles: ['<rootDir>/test/setup.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  reporters: [
    'default',
    '<rootDir>/test/support/jest/progress-reporter.cjs',
    // The messages of failures are not repeated.
    ['summary', { summaryThreshold: 10_000 }],
    '<rootDir>/test/spec/rule-reporter.cjs',
  ],
  // A test that hangs is found in the end; one on a busy machine is not called a hang.
  testTimeout: 120_000,
  // Two more than the processors of a small machine: tests often wait, for a database, a process or a moment.
  maxWorkers: 4,
};
