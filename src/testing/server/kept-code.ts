import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import NodeLoader from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';

/** What Node's loader has beside what is documented; packages that compile on the fly stand on the same. */
interface Loader {
  readonly prototype: { _compile: (this: NodeModule, source: string, file: string) => unknown };
  readonly wrap: (source: string) => string;
  _resolveFilename: (name: string, from: NodeModule | null, isMain: boolean, options?: object) => string;
  readonly _cache: NodeJS.Dict<NodeModule>;
  readonly _extensions: Record<string, (module: NodeModule, file: string) => unknown>;
}

/** A file of the program or a package, as Node's loader wraps it. */
type WrappedFile = (...names: unknown[]) => unknown;

/** The text of many files as one script, and what is known of them. */
export interface Image {
  /** In the order in which they stand in the text. */
  readonly files: readonly string[];
  /** Where names lead, by the folder of the file that uses them. */
  readonly ways: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly source: string;
  readonly compiled: Buffer | null;
}

/** What loads modules of the other kind needs more of the loader than a script has. */
const LOADS_OTHERS = /\bimport\(/;

/** Has the loader take files from an image, and learns what an image should have. */
class LoadedCode {
  private readonly loader = NodeLoader as unknown as Loader;
  private readonly sources = new Map<string, string>();
  private readonly ways: Record<string, Record<string, string>> = {};
  private readonly script: Script | null;

  private constructor(private readonly image: Image | null) {
    this.script = image && new Script(image.source, { cachedData: image.compiled ?? undefined });
  }

  static begin(image: Image | null): LoadedCode {
    const code = new LoadedCode(image);
    code.watchNames();
    if (code.image && code.script) code.takeFiles(code.image, code.script);
    else code.watchFiles();
    return code;
  }

  /** What later starts can use; null where they have it already. */
  imageToKeep(): Image | null {
    if (this.image && this.script) {
      const isCompiled = this.image.compiled !== null && this.script.cachedDataRejected === false;
      // A file that is missing was left out on purpose: the image is of this very program.
      if (isCompiled) return null;
      return { ...this.image, compiled: this.script.createCachedData() };
    }
    const wrapped = [...this.sources.values()].map((source) => this.loader.wrap(source).replace(/;\s*$/, ''));
    const source = `[\n${wrapped.join(',\n')}\n]`;
    return { files: [...this.sources.keys()], ways: this.ways, source, compiled: null };
  }

  /** Looking for files takes as long as reading them. */
  private watchNames(): void {
    const resolve = this.loader._resolveFilename;
    const known = this.image?.ways ?? {};
    this.loader._resolveFilename = (name, from, isMain, options) => {
      if (!from?.filename || options) return resolve(name, from, isMain, options);
      const folder = dirname(from.filename);
      const way = known[folder]?.[name];
      if (typeof way === 'string') return way;
      const found = resolve(name, from, isMain, options);
      (this.ways[folder] ??= {})[name] = found;
      return found;
    };
  }

  private watchFiles(): void {
    const { prototype } = this.loader;
    const compile = prototype._compile;
    const { sources } = this;
    prototype._compile = function (source, file, ...rest: []) {
      if (!LOADS_OTHERS.test(source) && !source.startsWith('#!')) sources.set(file, source);
      return compile.call(this, source, file, ...rest);
    };
  }

  private takeFiles(image: Image, script: Script): void {
    const { loader } = this;
    const functions = script.runInThisContext() as WrappedFile[];
    const wrapped = new Map(image.files.map((file, at) => [file, functions[at]]));
    const usual = loader._extensions['.js'];
    loader._extensions['.js'] = (module, file) => {
      const run = wrapped.get(file);
      if (!run) return usual?.(module, file);
      const require = Object.assign((name: string): unknown => module.require(name), {
        resolve: (name: string, options?: object) => loader._resolveFilename(name, module, false, options),
        main: process.mainModule,
        extensions: loader._extensions,
        cache: loader._cache,
      });
      return run.call(module.exports, module.exports, require, module, file, dirname(file));
    };
  }
}

/** The program, in the language in which it runs. */
const PROGRAM = resolve(__dirname, '../..');

/** What is kept between starts lies where only the user can write. */
export const KEPT_FOLDER = join(homedir(), '.cache', 'parley', 'test-server');

/** Older files belong to programs that are no longer used. */
const KEPT_DAYS = 14;
const DAY_MS = 86_400_000;

/** Differs wherever any file of the program does. */
export function stateOfProgram(): string {
  const hash = createHash('sha256');
  const build = statSync(join(PROGRAM, 'tsconfig.build.tsbuildinfo'), { throwIfNoEntry: false });
  // What the compiler writes with every change says it all, and looking at each file takes a while.
  if (build) return hash.update(`${PROGRAM} ${build.mtimeMs} ${build.size}`).digest('hex').slice(0, 24);
  for (const name of readdirSync(PROGRAM, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(js|ts|json)$/.test(name)) continue;
    const { mtimeMs, size } = statSync(join(PROGRAM, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 24);
}

/** Makes the folder of what is kept, and removes what is old. */
export function tidyKept(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const kept = statSync(path, { throwIfNoEntry: false });
    if (kept && Date.now() - kept.mtimeMs > KEPT_DAYS * DAY_MS) rmSync(path, { force: true });
  }
}

/** Writes a file at once, since two that start at the same time write the same. */
export function writeKept(path: string, fill: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  fill(draft);
  renameSync(draft, path);
}

/** What is found before the code: of which program it is, and how long each part is. */
interface KeptHead {
  readonly state: string;
  readonly sourceBytes: number;
  /** 0 until the second start, which is the first to run this text. */
  readonly compiledBytes: number;
  readonly files: Image['files'];
  readonly ways: Image['ways'];
}

/** Of the number before the head. */
const LENGTH_BYTES = 4;

/**
 * Keeps the text of the program with its packages as one script, what V8 made of it, and where each file found the others,
 * so that later starts read one file instead of a thousand. The first start keeps the text, the second what V8 made of it.
 * @returns keeps it, once everything is loaded
 */
export function useKeptCode(folder = KEPT_FOLDER): () => void {
  const state = stateOfFiles();
  if (state === null) return () => undefined;
  const version = `${PROGRAM} ${process.version} ${process.arch}`;
  const name = createHash('sha256').update(version).digest('hex').slice(0, 24);
  const place = join(folder, `${name}.code`);
  const code = LoadedCode.begin(read(place, state));
  return () => {
    const image = code.imageToKeep();
    if (image) keep(folder, place, state, image);
  };
}

/** Changes with the program and with its packages; null where that cannot be told. */
function stateOfFiles(): string | null {
  for (let folder = PROGRAM; folder !== dirname(folder); folder = dirname(folder)) {
    // npm writes it with every change.
    const file = join(folder, 'node_modules/.package-lock.json');
    const packages = statSync(file, { throwIfNoEntry: false });
    if (packages) return `${stateOfProgram()} ${file} ${packages.mtimeMs} ${packages.size}`;
  }
  return null;
}

/** All in one file, so that no part ever goes with another's: the length of the head, the head, the text, what was compiled. */
function read(place: string, state: string): Image | null {
  try {
    const all = readFileSync(place);
    const begin = LENGTH_BYTES + all.readUInt32LE();
    const head = JSON.parse(all.toString('utf8', LENGTH_BYTES, begin)) as KeptHead;
    if (head.state !== state) return null;
    const end = begin + head.sourceBytes;
    const compiled = all.subarray(end, end + head.compiledBytes);
    return {
      files: head.files,
      ways: head.ways,
      source: all.toString('utf8', begin, end),
      compiled: head.compiledBytes === 0 ? null : compiled,
    };
  } catch {
    // The first start.
    return null;
  }
}

function keep(folder: string, place: string, state: string, { files, ways, source, compiled }: Image): void {
  const text = Buffer.from(source);
  const sizes = { sourceBytes: text.length, compiledBytes: compiled?.length ?? 0 };
  const head = Buffer.from(JSON.stringify({ state, ...sizes, files, ways } satisfies KeptHead));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  try {
    tidyKept(folder);
    const parts = [length, head, text, compiled ?? Buffer.alloc(0)];
    writeKept(place, (draft) => writeFileSync(draft, Buffer.concat(parts)));
  } catch {
    // Nothing is lost but time.
  }
}
