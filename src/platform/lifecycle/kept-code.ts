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

/** What Node's loader has beside what is documented; packages that compile on the fly stand on the same. */
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

/** Where a file lies in what is kept, and how it was at that time. */
interface KeptFile {
  /** What V8 made of it, and behind that its text. */
  readonly begin: number;
  readonly compiledBytes: number;
  readonly textBytes: number;
  /** Texts with other characters take two bytes for each. */
  readonly encoding: 'latin1' | 'utf16le';
  readonly mtimeMs: number;
  readonly size: number;
}

/** What is known of the files. It stands behind them, and its length behind it. */
interface KeptIndex {
  readonly state: string;
  /** Length of the files together: another one says that a part is missing. */
  readonly bytes: number;
  readonly files: Readonly<Record<string, KeptFile>>;
  /** Where names lead, by the folder of the file that uses them. */
  readonly ways: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const LENGTH_BYTES = 4;

/** V8 would copy what does not begin at a multiple of this. */
const ALIGNMENT = 8;

/** What was kept before is copied in pieces. */
const COPIED_BYTES = 1024 ** 2;

/** What loads modules of the other kind needs more of the loader than a script has. */
const LOADS_OTHERS = /\bimport\(/;
const LATIN_1 = /^[\0-\u{ff}]*$/u;

/** A file that was compiled here, since it was not kept. */
interface CompiledFile {
  readonly script: Script;
  readonly text: string;
}

/** What is kept, and where. */
interface KeptPlace {
  readonly folder: string;
  readonly name: string;
  /** Of program and packages: what was kept in another one is dropped. */
  readonly state: string;
  /** Folders whose files are kept: no other one can change without the state. */
  readonly roots: readonly string[];
}

/**
 * Keeps what V8 made of the files of the program and its packages, and where each file found the others: a start that looks
 * for two thousand files, reads and compiles them spends most of its time on that. Each file stays a script with its own
 * name in stack traces, which logs show, and by which packages find files beside their caller. A file that
 * changed is compiled again.
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
  /** Whether it still counts what is loaded. */
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

  /** Keeps what was compiled. To be called once everything is loaded. */
  keep(): void {
    const portions = this.portions();
    while (!portions.next().done);
  }

  /** The same, and lets requests through in between. */
  async keepInPauses(): Promise<void> {
    const portions = this.portions();
    while (!portions.next().done) await nextTurn();
  }

  /** Where that is not possible, nothing is lost but time. */
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

  /** Two that start at the same time write the same; neither reads what the other has not finished. */
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
      // Those that this start did not need may be needed by another one.
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

  /** Looking for files takes as long as reading them. */
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

  /** A file as it was kept, unless it changed. */
  private kept(file: string): Script | null {
    const kept = this.descriptor !== null && this.index?.files[file];
    if (!kept) return null;
    const { begin, compiledBytes, textBytes, encoding, mtimeMs, size } = kept;
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.mtimeMs !== mtimeMs || now.size !== size) return null;
    const bytes = this.read(begin, compiledBytes + textBytes);
    return this.script(bytes.toString(encoding, compiledBytes), file, bytes.subarray(0, compiledBytes));
  }

  /** A file that is not kept yet; null where Node.js is to compile it. */
  private compile(source: string, file: string, format: string | undefined): Script | null {
    const isPlain = (format === undefined || format === 'commonjs') && file.endsWith('.js');
    if (!this.isLoading || !isPlain || !this.isOurs(file)) return null;
    if (LOADS_OTHERS.test(source) || source.startsWith('#!')) return null;
    try {
      return this.script(this.loader.wrap(source), file);
    } catch {
      // Node.js says better what is wrong with it.
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

/** The program, in the language in which it runs. */
const PROGRAM = resolve(__dirname, '../..');

/** Beside the installed packages, where only the installing user can write: what is kept is executed. */
export const KEPT_BESIDE_PACKAGES = join(PROGRAM, '../node_modules/.cache/parley');

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
    if (kept?.isFile() && Date.now() - kept.mtimeMs > KEPT_DAYS * DAY_MS) rmSync(path, { force: true });
  }
}

/** Writes a file at once, since two that start at the same time write the same. */
export function writeKept(path: string, fill: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  fill(draft);
  renameSync(draft, path);
}

let inUse: KeptCode | undefined;

/**
 * Has files come from what earlier starts kept in a folder; of several calls, the first one counts.
 * @returns keeps the rest; null where it cannot be told whether the program is the same, or where Node.js is to show the
 *   sources from which it was compiled
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

/** The folder of the installed packages, and the file in it that npm writes with every change; null where there is none. */
function packagesOfProgram(): { path: string; mtimeMs: number; size: number } | null {
  for (let folder = PROGRAM; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules');
    const list = statSync(join(path, '.package-lock.json'), { throwIfNoEntry: false });
    if (list) return { path: realpathSync(path), mtimeMs: list.mtimeMs, size: list.size };
  }
  return null;
}
