const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

const SAYS_SO_EVERY_MS = 10_000;

/**
 * Jest reporter that says how far a run has got, where its output is not a terminal, on which jest does so itself. In the end it
 * lists the tests that failed, whose messages were printed as they failed, and writes their files into `TEST_FAILURES`.
 */
class ProgressReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.startedMs = Date.now();
    this.saidMs = this.startedMs;
  }

  onTestResult(test, result, { numTotalTestSuites, testResults, numPassedTests, numFailedTests }) {
    const now = Date.now();
    if (process.stderr.isTTY || now - this.saidMs < SAYS_SO_EVERY_MS) return;
    this.saidMs = now;
    const seconds = Math.round((now - this.startedMs) / 1000);
    const files = `${testResults.length} of ${numTotalTestSuites} files`;
    process.stderr.write(
      `-- ${files}, ${numPassedTests} tests passed, ${numFailedTests} failed, ${seconds} s\n`,
    );
  }

  onRunComplete(contexts, { testResults }) {
    const failed = testResults.filter(({ failureMessage }) => failureMessage);
    const files = failed.map(({ testFilePath }) => relative(this.rootDir, testFilePath));
    const { TEST_FAILURES } = process.env;
    if (TEST_FAILURES) writeFileSync(TEST_FAILURES, files.map((file) => `${file}\n`).join(''));
    failed.forEach((result, at) => {
      const titles = result.testResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `\n    ${fullName}`);
      process.stderr.write(`${at === 0 ? '\nFailed:\n' : ''}  ${files[at]}${titles.join('')}\n`);
    });
  }
}

module.exports = ProgressReporter;
