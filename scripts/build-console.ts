import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(__dirname, '..');
const folder = join(root, 'dist/console');

/** What becomes part of the script, and has its licence beside it. */
const PACKAGES = ['preact', '@preact/signals', '@preact/signals-core'];

function licences(): string {
  return PACKAGES.map((name) => {
    const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  }).join('\n\n');
}

/**
 * Builds the console, the program that runs in browsers, into `dist/console`: a script and a style sheet whose names
 * follow from their content, and the list of them that the server reads. Whoever starts meanwhile finds the former ones.
 */
export async function buildConsole(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['console/app.tsx', 'console/style.css'],
    outdir: 'dist/console',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // Browsers of 2024 and later.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    tsconfig: 'console/tsconfig.json',
    metafile: true,
    logLevel: 'warning',
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const named = (end: string) => names.find((name) => name.endsWith(end));
  const files = [...names, 'licences.txt'];
  writeFileSync(join(folder, 'licences.txt'), licences());
  const listing = join(folder, 'assets.json');
  writeFileSync(`${listing}.new`, JSON.stringify({ script: named('.js'), style: named('.css'), files }));
  renameSync(`${listing}.new`, listing);
  const kept = new Set([...files, 'assets.json']);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
}

if (require.main === module) void buildConsole();
