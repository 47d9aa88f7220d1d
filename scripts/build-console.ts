import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'uglify-js';

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

/** What declares the properties that belong to browsers, the language and Preact. */
const DECLARATIONS = [
  ...readdirSync(join(root, 'node_modules/typescript/lib'))
    .filter((name) => /^lib\.(dom|es).*\.d\.ts$/.test(name))
    .map((name) => `typescript/lib/${name}`),
  ...['dom', 'index', 'jsx'].map((name) => `preact/src/${name}.d.ts`),
];

/** Names of several words; those of the interface have underscores. */
const CAMEL_CASE = /\b[a-z]+[A-Z]\w*\b/;

/**
 * Properties that keep their names: those that are not the console's own, and what a script has as a text, too, which may
 * be the name of one. Before `in` it is, and is shortened with it.
 */
function keptProperties(script: string): string[] {
  const declared = DECLARATIONS.map((path) => readFileSync(join(root, 'node_modules', path), 'utf8'));
  const texts = script.match(/(["'`])\w+\1(?! ?in\b)/g) ?? [];
  const names = [...declared, ...texts].flatMap((text) => text.match(new RegExp(CAMEL_CASE, 'g')) ?? []);
  return [...new Set(names)];
}

/** A text as small as it gets: esbuild joins files and shortens names, and this looks into what functions do as well. */
function smaller(script: string): string {
  const { code, error } = minify(script, {
    module: true,
    // Where functions are put in place of calls, and comparisons turned round, the text repeats itself less, and packs worse.
    compress: { passes: 3, inline: 1, comparisons: false },
    mangle: { properties: { regex: CAMEL_CASE, reserved: keptProperties(script) } },
    output: { ascii_only: true },
  });
  if (error) throw error;
  return code;
}

/**
 * Builds the console, the program that runs in browsers, into `dist/console`: a script and a style sheet whose names
 * follow from their content, and the list of them that the server reads. Whoever starts meanwhile finds the former ones.
 * A file whose name is there already stays as it is, as the last step takes some seconds.
 */
export async function buildConsole(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['console/app.tsx', 'console/style.css'],
    outdir: 'dist/console',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    // Browsers of 2024 and later.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Calls with children as arguments are shorter than those that the compiler checks.
    tsconfigRaw: {},
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['console/jsx.ts'],
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    if (!existsSync(path)) replaceFile(path, path.endsWith('.js') ? smaller(text) : text);
  }
  const names = outputFiles.map(({ path }) => basename(path));
  const named = (end: string) => names.find((name) => name.endsWith(end));
  const files = [...names, 'licences.txt'];
  replaceFile(join(folder, 'licences.txt'), licences());
  replaceFile(
    join(folder, 'assets.json'),
    JSON.stringify({ script: named('.js'), style: named('.css'), files }),
  );
  const kept = new Set([...files, 'assets.json']);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
}

/** Nobody ever finds half of it. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

if (require.main === module) void buildConsole();
