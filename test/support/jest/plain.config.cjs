const {
  runtime,
  testEnvironment,
  testSequencer,
  globalSetup,
  globalTeardown,
  ...config
} = require('../../../jest.config.cjs');

/** Which rules the tests show is counted by the other runs. */
const reporters = config.reporters.filter((reporter) => !String(reporter).endsWith('rule-reporter.cjs'));

/**
 * The unit specs with nothing of jest replaced: no shared runtime, no environment of our own. A spec that fails here and
 * not in `npm test` depends on what the patch of jest does.
 * @type {import('jest').Config}
 */
module.exports = { ...config, reporters, testEnvironment: 'node', testMatch: ['<rootDir>/src/**/*.spec.ts'] };
