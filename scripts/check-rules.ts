import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run rules [-- <engine>...]`: which rules of the specification the last test runs covered, by section. Fails when
 * a rule has no passing test, when a test that names it failed, and when a test names an unknown rule.
 */
const root = join(__dirname, '..');
const recordFolder = join(root, 'node_modules/.cache/spec-rules');

interface Rule {
  readonly id: string;
  readonly section: string;
  readonly text: string;
}

/** Results recorded by the reporter, by test file. */
type RunRecord = Record<string, { readonly passed: readonly string[]; readonly failed: readonly string[] }>;

function readRules(): Rule[] {
  const lines = readFileSync(join(root, 'test/spec/rules.tsv'), 'utf8').trimEnd().split('\n').slice(1);
  const rules = lines.map((line) => {
    const [id, section, text, ...rest] = line.split('\t');
    if (!id || !section || !text || rest.length > 0) throw new Error(`rules.tsv: not three columns: ${line}`);
    return { id, section, text };
  });
  const ids = rules.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`rules.tsv: listed twice: ${twice.join(', ')}`);
  return rules;
}

function readRecord(engine: string): RunRecord {
  const path = join(recordFolder, `${engine}.json`);
  if (!existsSync(path)) throw new Error(`No test run recorded for ${engine}.`);
  return JSON.parse(readFileSync(path, 'utf8')) as RunRecord;
}

/** Prints the coverage of one engine and returns the number of problems. */
function report(engine: string, rules: readonly Rule[]): number {
  const files = Object.entries(readRecord(engine));
  const passed = new Set(files.flatMap(([, tags]) => tags.passed));
  const failed = new Set(files.flatMap(([, tags]) => tags.failed));
  const shown = rules.filter(({ id }) => passed.has(id) && !failed.has(id));
  const missing = rules.filter((rule) => !shown.includes(rule));

  console.log(`${engine}: ${shown.length} of ${rules.length} rules shown by passing tests`);
  for (const section of new Set(rules.map((rule) => rule.section))) {
    const inSection = (rule: Rule): boolean => rule.section === section;
    console.log(`  ${section}: ${shown.filter(inSection).length} of ${rules.filter(inSection).length}`);
    for (const { id, text } of missing.filter(inSection)) {
      console.log(`    ${failed.has(id) ? 'failed ' : 'missing'} ${id}: ${text}`);
    }
  }

  const known = new Set(rules.map(({ id }) => id));
  const strangers = files.flatMap(([file, tags]) =>
    [...new Set([...tags.passed, ...tags.failed])]
      .filter((id) => !known.has(id))
      .map((id) => `${file}: ${id}`),
  );
  for (const stranger of strangers) console.log(`  not in rules.tsv: ${stranger}`);
  return missing.length + strangers.length;
}

const engines = process.argv.slice(2);
const rules = readRules();
const problems = (engines.length > 0 ? engines : ['sqlite']).map((engine) => report(engine, rules));
if (problems.some((count) => count > 0)) process.exitCode = 1;
