const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { notRunIn } = require('./ways-in.cjs');

const root = join(__dirname, '../../..');
const engine = process.env.TEST_ENGINE || 'sqlite';

/** Unit specs know no database. */
const UNIT_SPECS = /^src\//;

/** What tells nothing new on another engine than SQLite. */
const TOLD_ONCE = {
  sqlite: [],
  // The document leaves the driver of SQLite to the server; plans are those of better-sqlite3, where it can be had.
  libsql: [UNIT_SPECS, /^test\/tour\/operations/, /^test\/platform\/query-plans/],
  postgres: [
    UNIT_SPECS,
    // Pages and foreign clients see only the API, whose tests run on every engine; go-zulip's tests are part of the record of the contract.
    /^test\/(browser|examples)\//,
    /^test\/compat\/(?!go-zulip)/,
    /^test\/api\/(api-description|console|console-languages|console-state|web-app)\./,
    /^test\/tour\/(messaging|nginx|tour)\./,
    // The test server has its own in-memory database, and each fault names the engine that it affects.
    /^test\/cli\/(test-server|web-app|conformance|sso)/,
    /^test\/faults\/faults/,
    // Routes are declarations. Host names, and the data of identity providers, integrations and pictures, are checked before any query.
    /^test\/architecture\/(api-description|contract-parameters|routes)\./,
    /^test\/api\/(hostile-pictures|identity-provider-attacks|incoming-webhooks-services)\./,
    /^test\/platform\/allowed-hosts\./,
    // These name the engines that they run on.
    /^test\/contracts\//,
    /^test\/cli\/(import-alone|move)/,
    /^test\/platform\/(browser-nodes|busy-senders|database-hosts|database-outage|lost-commits|nodes|pgbouncer)\./,
    /^test\/platform\/(revoked-elsewhere|shared-logins|sign-in-nodes|silent-line|workers)\./,
    /^test\/api\/mail-nodes/,
  ],
};

/** Rules of the specification that need no database; `npm run rules` expects every rule on each engine. */
const SHOWS_RULES = /^test\/platform\/http\/(access|answers|parameters)\./;

/** How files refer to the database of the run. */
const DATABASE_OF_RUN = /\b(createTestDatabase|createMigratedDatabase|TEST_ENGINE|TEST_DATABASE_URL)\b/;

/** How people sign in on the servers of this run; see test/support/way-in.ts. */
const wayIn = process.env.TEST_SIGN_IN || 'password';

/** Files that are about another way in as a whole. */
const aboutOtherWays = new Set(notRunIn(wayIn).flatMap(({ file, title }) => (title === '' ? [file] : [])));

const IMPORTS = /(?:\bfrom|\bimport|\brequire\()\s*'(\.[^']+)'/g;

/** What was read of a file, by path. */
const known = new Map();

/** Whether a test file, or a file in `test` that it imports, uses the database of the run. */
function usesDatabase(path, seen = new Set()) {
  if (seen.has(path)) return false;
  seen.add(path);
  if (!known.has(path)) known.set(path, read(path));
  const { refersToDatabase, imports } = known.get(path);
  return refersToDatabase || imports.some((target) => usesDatabase(target, seen));
}

function read(path) {
  const source = readFileSync(path, 'utf8');
  const imports = [...source.matchAll(IMPORTS)]
    .map(([, name]) => join(dirname(path), name))
    .filter((target) => target.startsWith(join(root, 'test')))
    .flatMap((target) => [`${target}.ts`, join(target, 'index.ts')].filter(existsSync));
  return { refersToDatabase: DATABASE_OF_RUN.test(source), imports };
}

/** On PostgreSQL, a file without a database, or that always uses SQLite's, would only repeat the run on SQLite. */
function dependsOnEngine(path) {
  return engine !== 'postgres' || SHOWS_RULES.test(relative(root, path)) || usesDatabase(path);
}

/** With another way in than passwords, only tests of the interface on servers with people tell something new. */
function dependsOnWayIn(path) {
  if (wayIn === 'password') return true;
  const name = relative(root, path);
  return /^test\/(api|platform)\//.test(name) && !aboutOtherWays.has(name) && usesDatabase(path);
}

/** Leaves out the test files that tell nothing new on the engine of this run, or with its way in. */
module.exports = (paths) => ({
  filtered: paths.filter(
    (path) =>
      !TOLD_ONCE[engine].some((told) => told.test(relative(root, path))) &&
      dependsOnEngine(path) &&
      dependsOnWayIn(path),
  ),
});
