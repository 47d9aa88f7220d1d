const Module = require('node:module');
const { join, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Packages that replace globals when they are loaded, which is undone after each test file. */
const CHANGES_GLOBALS = /[\\/]node_modules[\\/](zulip-js|isomorphic-[\w-]+)[\\/]/;

/** That of the test file which is running. */
let loader = null;

/** Where the source maps of shared files are. */
const sourceMaps = new Map();

/**
 * Loads the program and its packages once for all test files of a worker, as a server does, instead of anew for each
 * file, which took longer than many a file's tests. They keep nothing between two applications, and no test replaces
 * their modules (`jest.mock` has no effect on them). Tests and their support are loaded anew for each file, but for what
 * is in `test/support/shared`.
 */
class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverage, testPath, globalConfig);
    this.program = join(config.rootDir, 'src') + sep;
    this.shared = join(config.rootDir, 'test/support/shared') + sep;
    if (globalConfig.watch || globalConfig.watchAll) this.forgetProgram();
    loader = this;
    for (const [file, map] of sourceMaps) this.getSourceMaps().set(file, map);
    // Tests and the program have one set of globals: with two, no `instanceof` would hold between them.
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  /** What test files `require`, by whichever name. */
  requireModuleOrMock(from, moduleName) {
    if (!Module.isBuiltin(moduleName) && moduleName !== '@jest/globals') {
      const load = Module.createRequire(from);
      if (this.isShared(load.resolve(moduleName))) return load(moduleName);
    }
    return super.requireModuleOrMock(from, moduleName);
  }

  isShared(path) {
    if (path.startsWith(this.program) || path.startsWith(this.shared)) return true;
    return path.includes(`${sep}node_modules${sep}`) && !CHANGES_GLOBALS.test(path);
  }

  /** The code of a file that Node loads by itself, from the cache of translations that all test files have. */
  translate(path) {
    const code = this.transformCache.transform(path, {});
    const map = this.getSourceMaps().get(path);
    if (map !== undefined) sourceMaps.set(path, map);
    return code;
  }

  /** Where files are watched, they may have changed. */
  forgetProgram() {
    for (const path of Object.keys(require.cache)) {
      if (path.startsWith(this.program) || path.startsWith(this.shared)) delete require.cache[path];
    }
  }
}

Module._extensions['.ts'] = (module, path) => module._compile(loader.translate(path), path);

module.exports = { __esModule: true, default: SharedRuntime };
