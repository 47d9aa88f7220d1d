const { AsyncLocalStorage } = require('node:async_hooks');
const { relative } = require('node:path');
const { ModuleMocker } = require('jest-mock');
const { notRunIn } = require('./ways-in.cjs');

const KEPT_BY_JEST = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * Has tests run among the globals of the process, where the program is that they share (`shared-runtime.cjs`). What jest,
 * a test or a package changes among them is put back after the test file. There are no fake timers; tests hand the
 * program a clock.
 */
class SharedEnvironment {
  constructor({ projectConfig }, { testPath }) {
    const file = relative(projectConfig.rootDir, testPath);
    this.leftOut = notRunIn(process.env.TEST_SIGN_IN || 'password').filter((row) => row.file === file);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.exit = process.exit;
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.forgetStorages = collectStorages();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }

  /** Leaves out the tests and groups that are about another way in than that of this run. */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start' && this.leftOut.length > 0) this.leaveOut(rootDescribeBlock, false);
  }

  leaveOut({ children }, isWhole) {
    for (const child of children) {
      const isLeftOut = isWhole || this.leftOut.some(({ title }) => child.name.includes(title));
      if (child.type === 'describeBlock') this.leaveOut(child, isLeftOut);
      else if (isLeftOut) child.mode = 'skip';
    }
  }

  async setup() {}

  async teardown() {
    process.exit = this.exit;
    this.forgetStorages();
    forgetTests();
    const now = Object.getOwnPropertyDescriptors(globalThis);
    for (const name of Reflect.ownKeys(this.globals)) {
      const was = this.globals[name];
      if (was.configurable && !isSame(was, now[name])) Object.defineProperty(globalThis, name, was);
    }
  }
}

/**
 * Jest has an `AsyncLocalStorage` for each test file and never disables it. Each of them makes every promise of the process
 * a little dearer, and a worker runs some fifty files.
 * @returns what disables those that were entered since
 */
function collectStorages() {
  const entered = new Set();
  const { run } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.run = function (...parameters) {
    entered.add(this);
    return run.apply(this, parameters);
  };
  return () => {
    AsyncLocalStorage.prototype.run = run;
    for (const storage of entered) storage.disable();
  };
}

/** What jest keeps of a test file; it holds on to everything that the tests of the file can see. */
function forgetTests() {
  for (const name of Object.getOwnPropertySymbols(globalThis)) {
    if (KEPT_BY_JEST.includes(name.description)) delete globalThis[name];
  }
}

function isSame(one, other) {
  return one.value === other?.value && one.get === other?.get && one.set === other?.set;
}

module.exports = SharedEnvironment;
