import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FeatureNames, filesOfFeature, inPascalCase } from './feature-template';

/**
 * Generates a working feature as a starting point: `npm run new-feature -- polls`. If the singular is not the name
 * without its last letter, pass it second: `npm run new-feature -- categories category`.
 */
const root = join(__dirname, '..');
const TABLE_OF_IMPORTS = 'scripts/import-table.json';

/** Steps that cannot be generated. */
const LEFT_TO_DO = `
Left to do, as CONTRIBUTING.md says:
- what the feature is: its columns, parameters and rules, and the docstrings and tests that say them
- "Add an endpoint": test/support/permissions and the permission matrix, and docs/compatibility.md
- "Add an event", where clients are to be told; "Add a migration", where rows refer to accounts or messages
- the features that it may import, in ${TABLE_OF_IMPORTS}, and their modules among the imports of its own`;

function nextMigration(): number {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const numbers = files.map((path) => Number(/(\d{4})-[^/\\]+\.migration\.ts$/.exec(path)?.[1] ?? 0));
  return Math.max(...numbers) + 1;
}

/** Adds an import after the last similar one, and an entry at the end of the list that begins with `list`. */
function register(path: string, line: string, like: RegExp, list: string, entry: string): void {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  lines.splice(lines.findLastIndex((each) => like.test(each)) + 1, 0, line);
  const start = lines.findIndex((each) => each.startsWith(list));
  const end = lines.indexOf('];', start);
  if (start < 0 || end < 0) throw new Error(`${path} has no list "${list}".`);
  lines.splice(end, 0, `  ${entry},`);
  writeFileSync(join(root, path), lines.join('\n'));
}

/** Adds its row in the table of imports; it may import nothing yet. */
function allowNoImports(feature: string): void {
  const path = join(root, TABLE_OF_IMPORTS);
  const table = JSON.parse(readFileSync(path, 'utf8')) as { features: Record<string, string[]> };
  table.features[feature] = [];
  writeFileSync(path, JSON.stringify(table, null, 2));
}

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [require.resolve(program), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${program} failed.`);
}

function write(names: FeatureNames): void {
  const { feature } = names;
  const files = filesOfFeature(names);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text.trimStart());
    console.log(path);
  }
  const Feature = inPascalCase(feature);
  register(
    'src/app.module.ts',
    `import { ${Feature}Module } from './features/${feature}/${feature}.module';`,
    /from '\.\/features\//,
    'const features = [',
    `${Feature}Module`,
  );
  allowNoImports(feature);
  const changed = ['src/app.module.ts', TABLE_OF_IMPORTS];
  run('prettier/bin/prettier.cjs', '--write', '--log-level', 'warn', ...Object.keys(files), ...changed);
  run('ts-node-for-development/dist/bin', join('scripts', 'generate-docs.ts'));
  console.log([...changed, 'and what npm run docs writes'].join('\n'));
  console.log(LEFT_TO_DO);
}

const [feature = '', one = feature.replace(/s$/, '')] = process.argv.slice(2);
const isName = (name: string) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
if (!isName(feature) || !isName(one) || one === feature) {
  console.error('npm run new-feature -- polls, or npm run new-feature -- categories category');
  process.exitCode = 1;
} else if (existsSync(join(root, 'src/features', feature))) {
  console.error(`There is a feature ${feature} already.`);
  process.exitCode = 1;
} else {
  write({ feature, one, migration: nextMigration() });
}
