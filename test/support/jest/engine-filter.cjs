const { join, relative } = require('node:path');

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
    // Pages know the interface alone, as what tries the conformance checks does; the server for tests has a database of its own, in
    // memory, and each fault befalls the one that it is about.
    /^test\/browser\//,
    /^test\/cli\/(test-server|web-app|conformance-faults|sso)/,
    /^test\/faults\/faults/,
    // What identity providers send is judged before anything is read.
    /^test\/api\/identity-provider-attacks/,
    // These name the engines that they run on.
    /^test\/contracts\//,
    /^test\/cli\/move/,
    /^test\/platform\/(browser-nodes|busy-senders|database-hosts|database-outage|lost-commits|nodes|pgbouncer)\./,
    /^test\/platform\/(revoked-elsewhere|shared-logins|silent-line|workers)\./,
    /^test\/api\/mail-nodes/,
  ],
};

/** Leaves out the test files that tell nothing new on the engine of this run. */
module.exports = (paths) => ({
  filtered: paths.filter((path) => !TOLD_ONCE[engine].some((told) => told.test(relative(root, path)))),
});
