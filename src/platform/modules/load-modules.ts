import { existsSync, readFileSync, realpathSync } from 'node:fs';
import NodeModule from 'node:module';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isNameOf, problemOf, takeDeclaredNames } from './module-problems';
import {
  isModuleDefinition,
  type ModuleDefinition,
  nestModulesOf,
  routePrefix,
  wireName,
} from './module-definition';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';
import { entitiesOf, type ModuleTables } from '../database/database.options';

/** Root folder of the running program: of its sources or of its build. */
const PROGRAM = resolve(__dirname, '../..');

/**
 * What modules may import from Parley, with the files that they get, whichever copy of Parley they were installed with.
 */
const SURFACE: Readonly<Record<string, string>> = {
  'parley/module': join(PROGRAM, 'module'),
  'parley/testing': join(PROGRAM, 'testing'),
};

/**
 * Libraries of which a second copy would not share the program's state; the module API exports what is needed of them.
 */
const SHARED = /^(@nestjs\/\w+|typeorm|class-validator|class-transformer|reflect-metadata|fastify)(\/|$)/;

type Resolve = (request: string, parent: NodeJS.Module | null | undefined, ...rest: unknown[]) => string;
const loader = NodeModule as unknown as { _resolveFilename: Resolve };

const roots = new Set<string>();
let isWatching = false;

/** A module imports something that is not allowed. */
class ImportRefused extends Error {}

/**
 * Restricts imports of Parley in a folder to `parley/module`. This keeps modules working when Parley changes; it does
 * not protect against malicious code, because a module may do whatever the server may.
 */
function watchImports(root: string): void {
  roots.add(root);
  if (isWatching) return;
  isWatching = true;
  const original = loader._resolveFilename;
  loader._resolveFilename = (request, parent, ...rest) => {
    const from = parent?.filename;
    const root = from && rootOf(from);
    if (!from || !root) return original(request, parent, ...rest);
    const surface = SURFACE[request];
    if (surface !== undefined) return original(surface, parent, ...rest);
    if (SHARED.test(request) && !from.includes(`${sep}node_modules${sep}`, root.length)) {
      throw new ImportRefused(`${from} imports "${request}". Import it from "parley/module" instead.`);
    }
    // Checked before resolution, because Node would only report a missing module.
    if (/^parley(\/(?!package\.json$)|$)/.test(request)) throw deepImport(request, from);
    const found = original(request, parent, ...rest);
    if (isBelow(found, PROGRAM)) throw deepImport(request, from);
    return found;
  };
}

function deepImport(request: string, from: string): ImportRefused {
  return new ImportRefused(
    `${from} imports "${request}", which is internal to Parley and changes with every release. ` +
      'Import only "parley/module".',
  );
}

/**
 * The folder of the module that a file belongs to. It may contain Parley itself, which modules install for their tests.
 */
function rootOf(file: string): string | undefined {
  return isBelow(file, PROGRAM) ? undefined : [...roots].find((root) => isBelow(file, root));
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}${sep}`);
}

/** A module loaded by this process. */
export interface LoadedModule {
  readonly definition: ModuleDefinition;
  readonly tables: ModuleTables;
  /** Its entry in `PARLEY_MODULES`. */
  readonly from: string;
  /** Version of its package; empty if it has none. */
  readonly version: string;
  /** The folder of its package. */
  readonly root: string;
}

/** The modules loaded by this process, in order. */
export class LoadedModules {
  constructor(readonly all: readonly LoadedModule[]) {}

  find(name: string): LoadedModule | undefined {
    return this.all.find(({ definition }) => definition.name === name);
  }
}

/** A module cannot be loaded, so the server does not start. */
class ModuleRefused extends StartRefused {
  constructor(from: string, reason: string) {
    super(`The module ${from} cannot be loaded: ${reason}\nFix it, or remove it from PARLEY_MODULES.`);
  }
}

interface Package {
  readonly root: string;
  readonly type?: string;
  readonly version?: string;
}

/**
 * Loads the modules in `PARLEY_MODULES`, in order. It runs before anything else of the server is created, because
 * tables, services and routes of modules must be known from the start.
 * @throws {ModuleRefused} naming the module and the problem
 */
export function loadModules({ modules }: Pick<Config, 'modules'>): readonly LoadedModule[] {
  const loaded: LoadedModule[] = [];
  for (const from of modules) {
    const module = load(from);
    const { name } = module.definition;
    if (loaded.some(({ definition }) => definition.name === name)) {
      throw new ModuleRefused(from, `another module has the same name, "${name}".`);
    }
    loaded.push(module);
  }
  return loaded;
}

function load(from: string): LoadedModule {
  const entry = entryOf(from);
  const { root, type, version = '' } = packageOf(entry);
  if (type === 'module' || entry.endsWith('.mjs')) {
    throw new ModuleRefused(from, 'it is an ES module. Compile it to CommonJS ("type": "commonjs").');
  }
  watchImports(root);
  takeDeclaredNames();
  const definition = definitionIn(from, entry, root);
  const problem = problemOf(definition) ?? nameProblem(definition.name, takeDeclaredNames());
  if (problem !== undefined) throw new ModuleRefused(from, problem);
  return { definition, tables: tablesOf(definition), from, version, root };
}

/** The tables of a module. */
function tablesOf({ name, module, migrations = [] }: ModuleDefinition): ModuleTables {
  return { name, entities: nestModulesOf(module).flatMap(entitiesOf), migrations };
}

/** The problem with the names of its events and jobs; undefined if there is none. */
function nameProblem(module: string, names: readonly string[]): string | undefined {
  const stray = names.find((name) => !isNameOf(module, name));
  return stray && `its "${stray}" must be named "${wireName(module)}" or start with "${wireName(module)}_".`;
}

/** The entry file of a folder or package. */
function entryOf(from: string): string {
  const isPath = isAbsolute(from) || from.startsWith('.');
  // A package is installed where the server is started, or next to Parley.
  const places = isPath ? [process.cwd()] : [process.cwd(), __dirname];
  const problems: unknown[] = [];
  for (const place of places) {
    try {
      return realpathSync(createRequire(join(place, 'package.json')).resolve(isPath ? resolve(from) : from));
    } catch (error) {
      problems.push(error);
    }
  }
  if (isPath && !existsSync(resolve(from))) throw new ModuleRefused(from, `${resolve(from)} does not exist.`);
  const built = isPath ? ' Has it been built?' : ' Has it been installed?';
  throw new ModuleRefused(from, `${sentence(problems[0])}${built}`);
}

function packageOf(entry: string): Package {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return { ...(JSON.parse(readFileSync(file, 'utf8')) as object), root: folder };
    if (folder === dirname(folder)) return { root: dirname(entry) };
  }
}

function definitionIn(from: string, entry: string, root: string): ModuleDefinition {
  let exported: unknown;
  try {
    exported = createRequire(entry)(entry);
  } catch (error) {
    throw new ModuleRefused(from, sentenceWithPlace(error, root));
  }
  const { default: named } = (exported ?? {}) as { default?: unknown };
  const definition = [named, exported].find(isModuleDefinition);
  if (definition) return definition;
  throw new ModuleRefused(from, `${entry} does not export what defineModule() of "parley/module" returns.`);
}

/** The message of an error, without the list of files that Node adds if one is missing. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = ''] = text.split('\nRequire stack:');
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** The same, with the line in the module that caused the error. */
function sentenceWithPlace(error: unknown, root: string): string {
  const text = sentence(error);
  const place = placeIn(error, root);
  return place === null || text.includes(place.replace(/(:\d+)+$/, '')) ? text : `${text} (${place})`;
}

/**
 * The location in the module's files that an error comes from, such as `/srv/polls/dist/index.js:3:29`; null if it
 * comes from elsewhere.
 */
function placeIn(error: unknown, root: string): string | null {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const folder = `${root}${sep}`;
  for (const line of lines) {
    const [, inside] = line.split(folder, 2);
    if (inside === undefined || inside.startsWith(`node_modules${sep}`)) continue;
    const [place] = /^.*?:\d+(:\d+)?/.exec(inside) ?? [];
    if (place !== undefined) return `${folder}${place}`;
  }
  return null;
}

/**
 * Runs a step of the start, and makes errors name their module: by the file that threw, the class that Nest cannot
 * create, or the invalid route.
 * @throws {ModuleRefused} instead of an error of a module
 */
export async function namingModules<T>(modules: readonly LoadedModule[], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const guilty =
      error instanceof StartRefused ? undefined : modules.find((module) => isAbout(error, module));
    if (!guilty) throw error;
    throw new ModuleRefused(guilty.from, sentenceWithPlace(error, guilty.root));
  }
}

function isAbout(error: unknown, { definition, root }: LoadedModule): boolean {
  if (!(error instanceof Error)) return false;
  const route = new RegExp(`/${routePrefix(definition.name)}(?![a-z0-9])`);
  const names = nestModulesOf(definition.module).map((part) => part.name);
  return (
    placeIn(error, root) !== null ||
    route.test(error.message) ||
    names.some((name) => new RegExp(`\\b${name}\\b`).test(error.message))
  );
}
