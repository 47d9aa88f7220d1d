import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';
import { isModuleDefinition, type ModuleDefinition } from './module-definition';
import { watchImports } from './module-imports';
import { problemOf } from './module-problems';

/** A module that this process has loaded. */
export interface LoadedModule {
  readonly definition: ModuleDefinition;
  /** As `PARLEY_MODULES` names it. */
  readonly from: string;
  /** Of its package; empty where that has none. */
  readonly version: string;
}

/** The modules that this process has loaded, in their order. */
export class LoadedModules {
  constructor(readonly all: readonly LoadedModule[]) {}

  find(name: string): LoadedModule | undefined {
    return this.all.find(({ definition }) => definition.name === name);
  }
}

/** A module cannot be loaded, so the server does not start. */
class ModuleRefused extends StartRefused {
  constructor(from: string, reason: string) {
    super(`The module ${from} cannot be loaded: ${reason}\nMend it, or take it out of PARLEY_MODULES.`);
  }
}

interface Package {
  readonly root: string;
  readonly type?: string;
  readonly version?: string;
}

/**
 * Loads the modules that `PARLEY_MODULES` names, in its order. It happens before anything else of the server is made, as
 * tables, services and routes of modules have to be known from the start.
 * @throws {ModuleRefused} naming the module and what is wrong with it
 */
export function loadModules({ modules }: Pick<Config, 'modules'>): readonly LoadedModule[] {
  const loaded: LoadedModule[] = [];
  for (const from of modules) {
    const module = load(from);
    const { name } = module.definition;
    if (loaded.some(({ definition }) => definition.name === name)) {
      throw new ModuleRefused(from, `another module is called "${name}" as well.`);
    }
    loaded.push(module);
  }
  return loaded;
}

function load(from: string): LoadedModule {
  const entry = entryOf(from);
  const { root, type, version = '' } = packageOf(entry);
  if (type === 'module' || entry.endsWith('.mjs')) {
    throw new ModuleRefused(from, 'it is an ES module. Have it compiled to CommonJS ("type": "commonjs").');
  }
  watchImports(root);
  const definition = definitionIn(from, entry);
  const problem = problemOf(definition);
  if (problem !== undefined) throw new ModuleRefused(from, problem);
  return { definition, from, version };
}

/** The file that a folder or package begins with. */
function entryOf(from: string): string {
  const isPath = isAbsolute(from) || from.startsWith('.');
  // A package is installed where the server is started, or beside Parley.
  const places = isPath ? [process.cwd()] : [process.cwd(), __dirname];
  const problems: unknown[] = [];
  for (const place of places) {
    try {
      return realpathSync(createRequire(join(place, 'package.json')).resolve(isPath ? resolve(from) : from));
    } catch (error) {
      problems.push(error);
    }
  }
  if (isPath && !existsSync(resolve(from))) throw new ModuleRefused(from, `there is no ${resolve(from)}.`);
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

function definitionIn(from: string, entry: string): ModuleDefinition {
  let exported: unknown;
  try {
    exported = createRequire(entry)(entry);
  } catch (error) {
    throw new ModuleRefused(from, sentence(error));
  }
  const { default: named } = (exported ?? {}) as { default?: unknown };
  const definition = [named, exported].find(isModuleDefinition);
  if (definition) return definition;
  throw new ModuleRefused(from, `${entry} does not export what defineModule() of "parley/module" returns.`);
}

/** What an error says, without the list of files that Node adds where one is missing. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = ''] = text.split('\nRequire stack:');
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/**
 * Makes an application, and has an error say which module it comes from: Nest names the class that it cannot make.
 * @throws {ModuleRefused} in the place of an error that names a class of a module
 */
export async function namingModules<T>(modules: readonly LoadedModule[], make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    const guilty = modules.find(({ definition }) => isAbout(error, definition.module.name));
    if (!guilty || error instanceof StartRefused) throw error;
    throw new ModuleRefused(guilty.from, sentence(error));
  }
}

function isAbout(error: unknown, className: string): boolean {
  return error instanceof Error && new RegExp(`\\b${className}\\b`).test(error.message);
}
