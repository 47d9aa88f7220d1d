import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createHash } from 'node:crypto';
import { build, type Metafile, type Plugin } from 'esbuild';
import sharp from 'sharp';
import { BADGE, FULL_ICON, ICON } from '../src/features/web/console/shell';

const root = join(__dirname, '..');
const folder = join(root, 'dist/console');

/** Browsers since 2024. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** Languages of the console. The first is the original of its texts. */
const LANGUAGES = ['en', 'de'];

/** Packages bundled into the script; their licenses are shipped with it. */
const PACKAGES = ['preact', '@preact/signals', '@preact/signals-core', 'lean-qr'];

function licences(): string {
  return PACKAGES.map((name) => {
    const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  }).join('\n\n');
}

/** The console in one language: the name of its script, and all of its files. */
async function builtIn(language: string, define: Record<string, string>) {
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
    define,
    // Passing children as arguments makes shorter calls than the syntax that the compiler checks.
    tsconfigRaw: {},
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['console/jsx.ts'],
    plugins: [inLanguage(language), PARTS_NEED_THE_START],
    logLevel: 'warning',
  });
  return {
    script: startOf(metafile),
    written: outputFiles.filter(({ path }) => !basename(path).startsWith('app-')),
  };
}

/**
 * Builds the console, the program that runs in browsers, into `dist/console`: for each language a script and lazily
 * loaded parts, a style sheet and icons, all named by their content, the service worker, and a list of them for the
 * server. A server that starts during the build finds the previous files.
 */
export async function buildConsole(): Promise<void> {
  const icons = await drawIcons();
  const define = definedBy(icons);
  const scripts: Record<string, string> = {};
  const built = new Map<string, string>();
  for (const language of LANGUAGES) {
    const { script, written } = await builtIn(language, define);
    scripts[language] = script;
    // Parts without texts are the same in all languages.
    for (const { path, text } of written) built.set(path, text);
  }
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of built) replaceFile(path, text);
  for (const { name, bytes } of Object.values(icons)) replaceFile(join(folder, name), bytes);
  replaceFile(join(folder, WORKER), await workerText(define));
  const names = [...built.keys()].map((path) => basename(path));
  const nameOf = (icon: keyof typeof ICONS) => icons[icon].name;
  const files = [...names, ...Object.values(icons).map(({ name }) => name), 'licences.txt'];
  replaceFile(join(folder, 'licences.txt'), licences());
  replaceFile(
    join(folder, 'assets.json'),
    JSON.stringify({
      scripts,
      style: names.find((name) => name.startsWith('style-')),
      worker: WORKER,
      icons: {
        small: nameOf('small'),
        large: nameOf('large'),
        maskable: nameOf('maskable'),
        touch: nameOf('touch'),
      },
      files,
    }),
  );
  const kept = new Set([...files, WORKER, 'assets.json']);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
}

/** Drawings, with their width in pixels. */
const ICONS = {
  small: [ICON, 192],
  large: [ICON, 512],
  maskable: [FULL_ICON, 512],
  touch: [FULL_ICON, 180],
  badge: [BADGE, 96],
} as const;

interface DrawnIcon {
  readonly name: string;
  readonly bytes: Buffer;
}

type DrawnIcons = Readonly<Record<keyof typeof ICONS, DrawnIcon>>;

/** Notifications and home screens of most systems accept only bitmaps. */
async function drawIcons(): Promise<DrawnIcons> {
  const drawn = Object.entries(ICONS).map(async ([name, [drawing, width]]): Promise<[string, DrawnIcon]> => {
    const picture = sharp(Buffer.from(drawing), { density: (72 * width) / 32 }).resize(width);
    const bytes = await picture.png({ compressionLevel: 9, palette: true }).toBuffer();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    return [name, { name: `icon-${name}-${hash}.png`, bytes }];
  });
  return Object.fromEntries(await Promise.all(drawn)) as DrawnIcons;
}

/** Constants of the build for the scripts. */
function definedBy({ small, badge }: DrawnIcons): Record<string, string> {
  const address = ({ name }: DrawnIcon) => JSON.stringify(`/console/assets/${name}`);
  return { NOTICE_ICON: address(small), NOTICE_BADGE: address(badge) };
}

const WORKER = 'worker.js';

/** The service worker in a single file: browsers compare it byte by byte with their copy. */
async function workerText(define: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['console/worker/worker.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: TARGET,
    define,
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
}

/** Replaces texts by their translations: `words.de.ts` for `words.ts`. */
const inLanguage = (language: string): Plugin => ({
  name: 'language',
  setup(bundler) {
    bundler.onLoad({ namespace: 'file', filter: /[/\\](words|words[/\\]\w+)\.ts$/ }, ({ path }) => {
      const other = path.replace(/\.ts$/, `.${language}.ts`);
      if (!existsSync(other)) return undefined;
      return { contents: readFileSync(other, 'utf8'), loader: 'ts', resolveDir: dirname(path) };
    });
  },
});

/** Marks a file name in `import()`. */
const PART = 'part';

/**
 * Makes each lazily loaded part import the entry. Thus all code of the entry is needed by every part, and stays in one
 * file: otherwise each combination of parts with shared code would become a separate file.
 */
const PARTS_NEED_THE_START: Plugin = {
  name: 'parts-need-the-start',
  setup(bundler) {
    bundler.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = await bundler.resolve(path, { kind: 'import-statement', resolveDir });
      // Without the build folder, because names depend on these paths, and must be the same everywhere.
      return found.errors.length > 0 ? found : { path: relative(root, found.path), namespace: PART };
    });
    bundler.onLoad({ filter: /./, namespace: PART }, ({ path }) => ({
      contents: `import './console/app'; export * from ${JSON.stringify(`./${path}`)};`,
      resolveDir: root,
    }));
  },
};

/** The file that contains the entry's code; the entry itself only imports it. */
function startOf({ outputs }: Metafile): string {
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint === 'console/app.tsx');
  const imports = entry?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
  if (imports.length !== 1 || Object.keys(entry!.inputs).length > 0)
    throw new Error('the start of the console is not in one file');
  return basename(imports[0]!.path);
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

/** Replaces a file atomically, so that readers never see part of it. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
