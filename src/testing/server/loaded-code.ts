import NodeLoader from 'node:module';
import { dirname } from 'node:path';
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
export class LoadedCode {
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
