import { ESLint } from 'eslint';

/**
 * Lints the given files, or all, with a cache by content. Rules depend on types in other files, which the cache does
 * not know, so failing files are linted again without it.
 */
async function main(targets: readonly string[]): Promise<void> {
  const options = { warnIgnored: false, errorOnUnmatchedPattern: false };
  const remembering = new ESLint({
    ...options,
    cache: true,
    cacheStrategy: 'content',
    cacheLocation: 'node_modules/.cache/eslint/',
  });
  const suspects = failing(await remembering.lintFiles([...targets]));
  if (suspects.length === 0) return;
  const fresh = new ESLint(options);
  const results = await fresh.lintFiles(suspects.map(({ filePath }) => filePath));
  if (failing(results).length === 0) return;
  console.log(await (await fresh.loadFormatter('stylish')).format(results));
  process.exitCode = 1;
}

/** Warnings count as failures. */
function failing(results: readonly ESLint.LintResult[]): ESLint.LintResult[] {
  return results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
}

const targets = process.argv.slice(2);
void main(targets.length > 0 ? targets : ['.']);
