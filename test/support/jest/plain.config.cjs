const {
  runtime,
  testEnvironment,
  testSequencer,
  reporters,
  globalSetup,
  globalTeardown,
  ...config
} = require('../../../jest.config.cjs');

/**
 * The unit specs with nothing of jest replaced: no shared runtime, no environment of our own. A spec that fails here and
 * not in `npm test` depends on what the patch of jest does.
 * @type {import('jest').Config}
 */
module.exports = { ...config, testEnvironment: 'node', testMatch: ['<rootDir>/src/**/*.spec.ts'] };
