import NodeModule from 'node:module';
import { join, resolve, sep } from 'node:path';

/** The program, in the language in which it runs. */
const PROGRAM = resolve(__dirname, '../..');

/** What modules may import of Parley, and the files that they get, whichever copy of Parley they were installed with. */
const SURFACE: Readonly<Record<string, string>> = {
  'parley/module': join(PROGRAM, 'module'),
  'parley/testing': join(PROGRAM, 'testing'),
};

/** Libraries of which a second copy would not know what the program knows; the surface hands on what is needed of them. */
const SHARED = /^(@nestjs\/\w+|typeorm|class-validator|class-transformer|reflect-metadata|fastify)(\/|$)/;

type Resolve = (request: string, parent: NodeJS.Module | null | undefined, ...rest: unknown[]) => string;
const loader = NodeModule as unknown as { _resolveFilename: Resolve };

const roots = new Set<string>();
let isWatching = false;

/** A module imports what it may not. */
class ImportRefused extends Error {}

/**
 * Has everything in a folder import of Parley what `parley/module` offers, and nothing else. This keeps modules working when
 * Parley changes; it is no wall against code that means harm, as a module may do whatever the server may.
 */
export function watchImports(root: string): void {
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
    // Before it is looked for, as Node would only say that there is no such thing.
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

/** The folder of the module that a file belongs to. Parley itself may lie in there, where a module has it for its tests. */
function rootOf(file: string): string | undefined {
  return isBelow(file, PROGRAM) ? undefined : [...roots].find((root) => isBelow(file, root));
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}${sep}`);
}
