import { wireName } from './module-definition';

const NAME = /^module_[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** What was declared since the names were last taken. */
let declared: string[] = [];

/**
 * Notes the name of an event or a kind of job, which modules declare while they are loaded.
 * @throws Error for a name that could be that of something of Parley
 */
export function declareName(name: string): void {
  requireModuleName(name);
  declared.push(name);
}

/** The names that were declared since this was last asked. */
export function takeDeclaredNames(): readonly string[] {
  const names = declared;
  declared = [];
  return names;
}

/** @throws Error for a name that could be that of something of Parley */
export function requireModuleName(name: string): void {
  if (!NAME.test(name)) {
    throw new Error(
      `"${name}" must be "module_" and the name of the module, optionally followed by "_" and more.`,
    );
  }
}

/** Whether a name of the wire is that of a module, or begins with it. */
export function isNameOf(module: string, name: string): boolean {
  return name === wireName(module) || name.startsWith(`${wireName(module)}_`);
}
