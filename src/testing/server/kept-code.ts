import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { KEPT_FOLDER, PROGRAM, stateOfProgram, tidyKept, writeKept } from './program-state';

/** What Node has for this from version 22 on. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** What Node's loader has beside what is documented; packages that compile on the fly stand on the same. */
interface Loader {
  readonly prototype: { _compile?: (this: NodeModule, source: string, file: string) => unknown };
  readonly wrap: (source: string) => string;
  readonly _resolveFilename?: (name: string, from: NodeModule, isMain: boolean, options?: object) => string;
  readonly _pathCache?: Record<string, string>;
  readonly _cache?: NodeJS.Dict<NodeModule>;
  readonly _extensions?: object;
}

/** Where the code of a file lies among all of it, and of which text it was made. */
type KeptPart = readonly [begin: number, end: number, hash: string];

/** Of the number before the index. */
const LENGTH_BYTES = 4;

interface KeptIndex {
  readonly state: string;
  /** Which file each name means. */
  readonly paths: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, KeptPart>>;
}

/**
 * Keeps what V8 made of the program, and where its files were found, so that later starts need not do it anew.
 * @returns keeps it, once everything is loaded
 */
export function useKeptCode(folder = KEPT_FOLDER): () => void {
  const loader = nodeModule as unknown as Loader & CompileCache;
  loader.enableCompileCache?.(join(folder, 'compiled'));
  const state = stateOfFiles();
  if (state === null) return () => undefined;
  const place = placeIn(folder);
  const { index, code } = read(place, state);
  Object.assign(loader._pathCache ?? {}, index?.paths);
  const compiled = loader.enableCompileCache ? null : compileWith(loader, index, code);
  return () => {
    const isComplete = index !== null && (compiled?.made.size ?? 0) === 0;
    if (!isComplete) keep(folder, place, { state, paths: { ...loader._pathCache } }, compiled);
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

function placeIn(folder: string): string {
  const version = `${PROGRAM} ${process.version} ${process.arch}`;
  return join(folder, `${createHash('sha256').update(version).digest('hex').slice(0, 24)}.code`);
}

/** One file, so that an index never goes with other code: the length of the index, the index, the code. */
function read(place: string, state: string): { index: KeptIndex | null; code: Buffer } {
  try {
    const all = readFileSync(place);
    const begin = LENGTH_BYTES + all.readUInt32LE();
    const index = JSON.parse(all.toString('utf8', LENGTH_BYTES, begin)) as KeptIndex;
    if (index.state === state) return { index, code: all.subarray(begin) };
  } catch {
    // The first start.
  }
  return { index: null, code: Buffer.alloc(0) };
}

interface Compiled {
  readonly used: Map<string, KeptPart>;
  readonly made: Map<string, { readonly script: Script; readonly hash: string }>;
  readonly code: Buffer;
}

/** Has the loader compile files with what is kept of them. */
function compileWith(loader: Loader, index: KeptIndex | null, code: Buffer): Compiled | null {
  const { prototype, _resolveFilename: resolve } = loader;
  const usual = prototype._compile;
  if (!usual || !resolve) return null;
  const compiled: Compiled = { used: new Map(), made: new Map(), code };
  prototype._compile = function (source, file) {
    // What loads modules of the other kind needs more than is done here.
    if (/\bimport\(/.test(source)) return usual.call(this, source, file);
    const hash = createHash('sha1').update(source).digest('base64');
    const part = index?.parts[file];
    const cachedData = part?.[2] === hash ? code.subarray(part[0], part[1]) : undefined;
    const script = new Script(loader.wrap(source.replace(/^#!/, '//')), { filename: file, cachedData });
    if (part && cachedData && script.cachedDataRejected === false) compiled.used.set(file, part);
    else compiled.made.set(file, { script, hash });
    const require = Object.assign((name: string): unknown => this.require(name), {
      resolve: (name: string, options?: object) => resolve(name, this, false, options),
      main: process.mainModule,
      extensions: loader._extensions,
      cache: loader._cache,
    });
    const run = script.runInThisContext() as (...names: unknown[]) => unknown;
    return run.call(this.exports, this.exports, require, this, file, dirname(file));
  };
  return compiled;
}

function keep(
  folder: string,
  place: string,
  { state, paths }: Omit<KeptIndex, 'parts'>,
  compiled: Compiled | null,
): void {
  const parts: Record<string, KeptPart> = {};
  const code: Buffer[] = [];
  let end = 0;
  const add = (file: string, data: Buffer, hash: string) => {
    code.push(data);
    parts[file] = [end, (end += data.length), hash];
  };
  for (const [file, [from, to, hash]] of compiled?.used ?? [])
    add(file, compiled?.code.subarray(from, to) ?? Buffer.alloc(0), hash);
  for (const [file, { script, hash }] of compiled?.made ?? []) add(file, script.createCachedData(), hash);
  const index = Buffer.from(JSON.stringify({ state, paths, parts }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(index.length);
  try {
    tidyKept(folder);
    writeKept(place, (draft) => writeFileSync(draft, Buffer.concat([length, index, ...code])));
  } catch {
    // Nothing is lost but time.
  }
}
