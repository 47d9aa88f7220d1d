import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = join(__dirname, '..');
const folder = join(root, 'dist/console');

/** Browsers of 2024 and later. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** Packages that become part of the script; their licences are shipped beside it. */
const PACKAGES = ['preact', '@preact/signals', '@preact/signals-core'];

function licences(): string {
  return PACKAGES.map((name) => {
    const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  }).join('\n\n');
}

/**
 * Builds the console, the program that runs in browsers, into `dist/console`: a script with the parts that it loads when
 * they are needed, and a style sheet, all named by their content, and a list of them for the server. A server that starts during the build finds the previous files.
 */
export async function buildConsole(): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: ['console/app.tsx', 'console/style.css'],
    outdir: 'dist/console',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: 'esm',
    target: TARGET,
    // Calls with children as arguments are shorter than those that the compiler checks.
    tsconfigRaw: {},
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['console/jsx.ts'],
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) replaceFile(path, text);
  const names = outputFiles.map(({ path }) => basename(path));
  const named = (start: string) => names.find((name) => name.startsWith(start));
  const script = named('app-')!;
  const files = [...names, 'licences.txt'];
  replaceFile(join(folder, 'licences.txt'), licences());
  replaceFile(
    join(folder, 'assets.json'),
    JSON.stringify({ script, start: startOf(metafile, script), style: named('style-'), files }),
  );
  const kept = new Set([...files, 'assets.json']);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
}

/** The parts that the script cannot begin without: the page has the browser fetch them beside it. */
function startOf({ outputs }: Metafile, script: string): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    for (const { path: part, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(part)) continue;
      found.add(part);
      visit(part);
    }
  };
  visit(`dist/console/${script}`);
  return [...found].map((path) => basename(path));
}

/** Builds the script of the API reference into `dist/api-description`, where the server looks for it. */
export async function buildApiPage(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'console/api-page/page.ts' },
    outdir: 'dist/api-description',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: TARGET,
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  mkdirSync(join(root, 'dist/api-description'), { recursive: true });
  for (const { path, text } of outputFiles) replaceFile(path, text);
}

/** Readers never see half a file. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
