import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredEvents } from './declared-events';

/**
 * `npm run events [-- <engine>...]`: which declared events the last test runs captured. Fails when a declared event was
 * never captured, and when a captured one is not declared.
 */
const root = join(__dirname, '..');
const recordFolder = join(root, 'node_modules/.cache/seen-events');

/** Kinds of events captured by the tests of one engine, without records of deleted test files. */
function seenEvents(engine: string): Set<string> {
  const folder = join(recordFolder, engine);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const records = files.filter(
    (file) => file.endsWith('.json') && existsSync(join(root, file.replace(/\.json$/, ''))),
  );
  if (records.length === 0) throw new Error(`No test run recorded for ${engine}.`);
  return new Set(records.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[]));
}

/** Prints the coverage of one engine and returns the number of problems. */
function report(engine: string): number {
  const declared = declaredEvents();
  const seen = seenEvents(engine);
  const missing = [...declared].filter(([kind]) => !seen.has(kind));
  const strangers = [...seen].filter((kind) => !declared.has(kind));
  console.log(
    `${engine}: ${declared.size - missing.length} of ${declared.size} declared events seen in tests`,
  );
  for (const [kind, file] of missing) console.log(`  never seen: ${kind} (${file})`);
  for (const kind of strangers) console.log(`  not declared: ${kind}`);
  return missing.length + strangers.length;
}

const engines = process.argv.slice(2);
const problems = (engines.length > 0 ? engines : ['sqlite']).map(report);
if (problems.some((count) => count > 0)) process.exitCode = 1;
