const { existsSync, readdirSync, rmSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Removes what only the compiler of better-sqlite3 needs, 25 MB, where there is a binary. npm runs this after it has
 * installed everything, and goes on if it fails; to compile again, install again.
 */
const folder = join(__dirname, '../../node_modules/better-sqlite3');
const binary = join(folder, 'build/Release/better_sqlite3.node');
const remove = (path) => rmSync(path, { recursive: true, force: true });

if (existsSync(binary)) {
  for (const name of ['deps', 'src']) remove(join(folder, name));
  for (const path of ['build', 'build/Release']) {
    for (const name of readdirSync(join(folder, path))) {
      const file = join(folder, path, name);
      if (!binary.startsWith(file)) remove(file);
    }
  }
}
