const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

/** Titles name the rules that a test shows in brackets: `creates the channel [EP1-create, STATE-subscription-subscribe]`. */
const TAGS = /\[([A-Z]+\d*-\w[\w-]*(?:, ?[A-Z]+\d*-\w[\w-]*)*)\]/g;

/**
 * Jest reporter that writes down which rules of the specification (`rules.tsv`) tests showed, by test file and engine:
 * `{ "test/api/x.test.ts": { "passed": ["EP1-create"], "failed": [] } }`. A run of some files replaces what is known
 * about those files only. `scripts/check-rules.ts` reads it.
 */
class RuleReporter {
  constructor(globalConfig) {
    this.root = globalConfig.rootDir;
    const engine = process.env.TEST_ENGINE ?? 'sqlite';
    this.record = join(this.root, 'node_modules/.cache/spec-rules', `${engine}.json`);
    this.files = {};
  }

  onTestResult(test, result) {
    const passed = new Set();
    const failed = new Set();
    for (const { fullName, status } of result.testResults) {
      for (const [, tags] of fullName.matchAll(TAGS)) {
        for (const tag of tags.split(/, ?/)) {
          if (status === 'passed') passed.add(tag);
          if (status === 'failed') failed.add(tag);
        }
      }
    }
    this.files[relative(this.root, test.path)] = { passed: [...passed].sort(), failed: [...failed].sort() };
  }

  onRunComplete() {
    const earlier = existsSync(this.record) ? JSON.parse(readFileSync(this.record, 'utf8')) : {};
    const known = Object.entries({ ...earlier, ...this.files });
    const current = known.filter(([file]) => existsSync(join(this.root, file)));
    mkdirSync(dirname(this.record), { recursive: true });
    writeFileSync(this.record, JSON.stringify(Object.fromEntries(current.sort()), null, 1));
  }
}

module.exports = RuleReporter;
