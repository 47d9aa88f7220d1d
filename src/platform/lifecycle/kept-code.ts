import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import NodeLoader from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Script } from 'node:vm';

/** Undocumented parts of Node's loader; packages that compile on the fly depend on the same. */
interface Loader {
  readonly prototype: {
    _compile: (this: NodeModule, source: string, file: string, format?: string) => unknown;
  };
  readonly wrap: (source: string) => string;
  _resolveFilename: (name: string, from: NodeModule | null, isMain: boolean, options?: object) => string;
  readonly _resolveLookupPaths: (name: string, from: NodeModule) => string[] | null;
  readonly _cache: NodeJS.Dict<NodeModule>;
  readonly _extensions: Record<string, (module: NodeModule, file: string) => unknown>;
}

/** A file of the program or a package, as Node's loader wraps it. */
type WrappedFile = (...names: unknown[]) => unknown;

/** Location of a file in the cache, and its state when it was cached. */
interface KeptFile {
  /** Offset of V8's compiled code, which the source text follows. */
  readonly begin: number;
  readonly compiledBytes: number;
  readonly textBytes: number;
  /** Texts with other characters take two bytes per character. */
  readonly encoding: 'latin1' | 'utf16le';
  readonly mtimeMs: number;
  readonly size: number;
}

/** The index of the files. It is stored after them, followed by its length. */
interface KeptIndex {
  readonly state: string;
  /** Total length of the files; if it differs, a part is missing. */
  readonly bytes: number;
  readonly files: Readonly<Record<string, KeptFile>>;
  /** Resolved module names, by the folder of the importing file. */
  readonly ways: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const LENGTH_BYTES = 4;

/** V8 would copy data that is not aligned to this. */
const ALIGNMENT = 8;

/** Previously cached code is copied in chunks of this size. */
const COPIED_BYTES = 1024 ** 2;

/** Code that imports ES modules needs more of the loader than a script provides. */
const LOADS_OTHERS = /\bimport\(/;
const LATIN_1 = /^[\0-\u{ff}]*$/u;

/** A file that was not cached and was compiled here. */
interface CompiledFile {
  readonly script: Script;
  readonly text: string;
}

/** Location and validity of a cache. */
interface KeptPlace {
  readonly folder: string;
  readonly name: string;
  /** State of the program and its packages: a cache of another state is discarded. */
  readonly state: string;
  /** Folders whose files are cached: all others can change without changing the state. */
  readonly roots: readonly string[];
}

/**
 * Caches V8's compiled code for the files of the program and its packages, and the resolved names: a start spends most
 * of its time on finding, reading and compiling two thousand files. Each file remains a script with its own name in
 * stack traces, which logs show, and by which packages find files beside their caller. A changed file is compiled
 * again.
 */
class KeptCode {
  private readonly loader = NodeLoader as unknown as Loader;
  private readonly prefix = this.loader.wrap('').indexOf('{') + 2;
  private readonly usualWay = this.loader._resolveFilename;
  private readonly path: string;
  private readonly index: KeptIndex | null = null;
  private descriptor: number | null = null;
  private buffer = Buffer.alloc(0);
  private readonly ways: Record<string, Record<string, string>> = {};
  private readonly compiled = new Map<string, CompiledFile>();
  /** Whether loaded files are still recorded. */
  private isLoading = true;

  constructor(private readonly place: KeptPlace) {
    this.path = join(place.folder, `${place.name}.code`);
    try {
      this.descriptor = openSync(this.path, 'r');
      const end = fstatSync(this.descriptor).size - LENGTH_BYTES;
      const length = this.read(end, LENGTH_BYTES).readUInt32LE();
      const index = JSON.parse(this.read(end - length, length).toString('utf8')) as KeptIndex;
      if (index.state === place.state && index.bytes === end - length) this.index = index;
    } catch {
      // The first start.
    }
    this.watchNames();
    this.watchFiles();
  }

  /** Writes the cache. Call it once everything is loaded. */
  keep(): void {
    const portions = this.portions();
    while (!portions.next().done);
  }

  /** The same, yielding to requests in between. */
  async keepInPauses(): Promise<void> {
    const portions = this.portions();
    while (!portions.next().done) await nextTurn();
  }

  /** If the cache cannot be written, the next start is merely slower. */
  private *portions(): Generator<void> {
    if (!this.isLoading) return;
    this.isLoading = false;
    try {
      if (this.compiled.size > 0) yield* this.write();
    } catch {
      // As above.
    } finally {
      if (this.descriptor !== null) closeSync(this.descriptor);
      this.descriptor = null;
      this.compiled.clear();
      this.buffer = Buffer.alloc(0);
    }
  }

  /** Two processes that start at the same time write the same content; neither reads an unfinished file. */
  private *write(): Generator<void> {
    tidyKept(this.place.folder);
    const draft = `${this.path}.${randomUUID()}`;
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      const files: Record<string, KeptFile> = {};
      let length = 0;
      const add = (part: Buffer) => {
        writeSync(descriptor, part, 0, part.length, length);
        length += aligned(part.length);
      };
      // Files that this start did not need may be needed by another one.
      for (const [file, kept] of Object.entries(this.index?.files ?? {})) {
        if (this.compiled.has(file)) continue;
        files[file] = { ...kept, begin: length };
        add(this.read(kept.begin, kept.compiledBytes + kept.textBytes));
        if (length % COPIED_BYTES < aligned(kept.textBytes)) yield;
      }
      for (const [file, { script, text }] of this.compiled) {
        yield;
        const { mtimeMs, size } = statSync(file);
        const compiled = script.createCachedData();
        const encoding = LATIN_1.test(text) ? 'latin1' : 'utf16le';
        const written = Buffer.from(text, encoding);
        const sizes = { compiledBytes: compiled.length, textBytes: written.length };
        files[file] = { begin: length, ...sizes, encoding, mtimeMs, size };
        add(Buffer.concat([compiled, written]));
      }
      yield;
      const ways = { ...this.index?.ways };
      for (const [folder, names] of Object.entries(this.ways)) ways[folder] = { ...ways[folder], ...names };
      const { state } = this.place;
      const index = Buffer.from(JSON.stringify({ state, bytes: length, files, ways } satisfies KeptIndex));
      const end = Buffer.alloc(LENGTH_BYTES);
      end.writeUInt32LE(index.length);
      add(Buffer.concat([index, end]));
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  private read(begin: number, length: number): Buffer {
    if (this.buffer.length < length) this.buffer = Buffer.allocUnsafeSlow(length * 2);
    const count = readSync(this.descriptor as number, this.buffer, 0, length, begin);
    if (count !== length) throw new Error('What was kept ends too early.');
    return this.buffer.subarray(0, length);
  }

  private isOurs(file: string): boolean {
    return this.place.roots.some((root) => file.startsWith(root));
  }

  /** Resolving names takes as long as reading the files. */
  private watchNames(): void {
    const known = this.index?.ways ?? {};
    this.loader._resolveFilename = (name, from, isMain, options) => {
      if (!from?.filename || options) return this.usualWay(name, from, isMain, options);
      const folder = dirname(from.filename);
      const way = known[folder]?.[name];
      if (typeof way === 'string') return way;
      const found = this.usualWay(name, from, isMain, options);
      if (this.isLoading && this.isOurs(from.filename)) (this.ways[folder] ??= {})[name] = found;
      return found;
    };
  }

  private watchFiles(): void {
    const { loader } = this;
    const load = loader._extensions['.js'];
    loader._extensions['.js'] = (module, file) => {
      const script = this.kept(file);
      return script ? this.run(script, module, file) : load?.(module, file);
    };
    const { prototype } = loader;
    const compile = prototype._compile;
    const compiled = (source: string, file: string, format?: string) => this.compile(source, file, format);
    const run = (script: Script, module: NodeModule, file: string) => this.run(script, module, file);
    prototype._compile = function (source, file, format, ...rest: []) {
      const script = compiled(source, file, format);
      return script ? run(script, this, file) : compile.call(this, source, file, format, ...rest);
    };
  }

  /** The cached script of a file, unless the file changed. */
  private kept(file: string): Script | null {
    const kept = this.descriptor !== null && this.index?.files[file];
    if (!kept) return null;
    const { begin, compiledBytes, textBytes, encoding, mtimeMs, size } = kept;
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.mtimeMs !== mtimeMs || now.size !== size) return null;
    const bytes = this.read(begin, compiledBytes + textBytes);
    return this.script(bytes.toString(encoding, compiledBytes), file, bytes.subarray(0, compiledBytes));
  }

  /** A file that is not cached yet; null if Node.js should compile it. */
  private compile(source: string, file: string, format: string | undefined): Script | null {
    const isPlain = (format === undefined || format === 'commonjs') && file.endsWith('.js');
    if (!this.isLoading || !isPlain || !this.isOurs(file)) return null;
    if (LOADS_OTHERS.test(source) || source.startsWith('#!')) return null;
    try {
      return this.script(this.loader.wrap(source), file);
    } catch {
      // Node.js reports the error better.
      return null;
    }
  }

  private script(text: string, filename: string, cachedData?: Buffer): Script {
    const script = new Script(text, { filename, cachedData, columnOffset: -this.prefix });
    if (script.cachedDataRejected !== false) this.compiled.set(filename, { script, text });
    return script;
  }

  private run(script: Script, module: NodeModule, file: string): unknown {
    const { loader } = this;
    const resolve = (name: string, options?: object) => loader._resolveFilename(name, module, false, options);
    const paths = (name: string) => loader._resolveLookupPaths(name, module);
    const require = Object.assign((name: string): unknown => module.require(name), {
      resolve: Object.assign(resolve, { paths }),
      main: process.mainModule,
      extensions: loader._extensions,
      cache: loader._cache,
    });
    const wrapped = script.runInThisContext() as WrappedFile;
    return wrapped.call(module.exports, module.exports, require, module, file, dirname(file));
  }
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** Root folder of the running program: of its sources or of its build. */
const PROGRAM = resolve(__dirname, '../..');

/** Beside the installed packages, where only the installing user can write: cached code is executed. */
export const KEPT_BESIDE_PACKAGES = join(PROGRAM, '../node_modules/.cache/parley');

/** Older caches belong to programs that are no longer used. */
const KEPT_DAYS = 14;
const DAY_MS = 86_400_000;

/** Changes whenever any file of the program does. */
export function stateOfProgram(): string {
  const hash = createHash('sha256');
  const build = statSync(join(PROGRAM, 'tsconfig.build.tsbuildinfo'), { throwIfNoEntry: false });
  // The compiler rewrites this file on every change, and checking each file would take a while.
  if (build) return hash.update(`${PROGRAM} ${build.mtimeMs} ${build.size}`).digest('hex').slice(0, 24);
  for (const name of readdirSync(PROGRAM, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(js|ts|json)$/.test(name)) continue;
    const { mtimeMs, size } = statSync(join(PROGRAM, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 24);
}

/** Creates the cache folder, and removes old caches. */
export function tidyKept(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const kept = statSync(path, { throwIfNoEntry: false });
    if (kept?.isFile() && Date.now() - kept.mtimeMs > KEPT_DAYS * DAY_MS) rmSync(path, { force: true });
  }
}

/** Writes a file atomically, because two processes that start at the same time write the same one. */
export function writeKept(path: string, fill: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  fill(draft);
  renameSync(draft, path);
}

let inUse: KeptCode | undefined;

/**
 * Loads files from the cache of earlier starts; only the first call has an effect.
 * @returns the cache, to be written later; null if it is unknown whether the program is unchanged, or if Node.js should
 *   show the original sources in stack traces
 */
export function useKeptCode(folder: string): KeptCode | null {
  const packages = packagesOfProgram();
  if (packages === null || process.execArgv.includes('--enable-source-maps')) return null;
  const { path, mtimeMs, size } = packages;
  const version = `${PROGRAM} ${process.version} ${process.arch}`;
  const name = createHash('sha256').update(version).digest('hex').slice(0, 24);
  const state = `${stateOfProgram()} ${path} ${mtimeMs} ${size}`;
  inUse ??= new KeptCode({ folder, name, state, roots: [PROGRAM + sep, path + sep] });
  return inUse;
}

/**
 * The folder of the installed packages, and the file in it that npm rewrites on every change; null if there is none.
 */
function packagesOfProgram(): { path: string; mtimeMs: number; size: number } | null {
  for (let folder = PROGRAM; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules');
    const list = statSync(join(path, '.package-lock.json'), { throwIfNoEntry: false });
    if (list) return { path: realpathSync(path), mtimeMs: list.mtimeMs, size: list.size };
  }
  return null;
}
