import { getMetadataArgsStorage } from 'typeorm';
import { type ModuleDefinition, nestModulesOf, variablePrefix, wireName } from './module-definition';
import { settingsOf } from '../config/setting';
import { entitiesOf, tablePrefix, undecoratedEntities } from '../database/database.options';

const NAME = /^[a-z][a-z0-9]{1,30}$/;

const KEYS = ['name', 'about', 'module', 'migrations', 'settings'];

/** The first problem of a definition, or undefined. Also checks types, because modules may be plain JavaScript. */
export function problemOf(definition: ModuleDefinition): string | undefined {
  const { name, about, module, migrations = [], settings } = definition;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return `its name is ${JSON.stringify(name)}. Use 2 to 31 lowercase letters and digits, starting with a letter.`;
  }
  if (typeof about !== 'string' || about === '') return 'it has no description in "about".';
  if (typeof module !== 'function') return '"module" is not a class with @Module().';
  const unknown = Object.keys(definition).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return `it has the unknown key "${unknown}". Known keys are ${KEYS.join(', ')}.`;
  if (!isListOfObjects(migrations))
    return '"migrations" is not a list of objects with "number", "name" and "up".';
  if (settings !== undefined && typeof settings !== 'function') return '"settings" is not a class.';
  return entityProblem(definition) ?? migrationProblem(definition) ?? settingProblem(definition);
}

function isListOfObjects(list: unknown): boolean {
  return Array.isArray(list) && list.every((each) => typeof each === 'object' && each !== null);
}

function entityProblem({ name, module }: ModuleDefinition): string | undefined {
  const parts = nestModulesOf(module);
  const [undecorated] = parts.flatMap(undecoratedEntities);
  if (undecorated !== undefined) return `its entity ${undecorated} has no @Entity().`;
  const prefix = tablePrefix(name);
  const { tables } = getMetadataArgsStorage();
  for (const entity of parts.flatMap(entitiesOf)) {
    const { name: table = '' } = tables.find(({ target }) => target === entity) ?? {};
    if (!table.startsWith(prefix)) {
      return `the table of its entity ${entity.name} is named ${JSON.stringify(table)}, but must start with "${prefix}".`;
    }
  }
  return undefined;
}

function migrationProblem({ migrations = [] }: ModuleDefinition): string | undefined {
  for (const [at, migration] of migrations.entries()) {
    const { number, name } = migration;
    if (number !== at + 1)
      return `its migrations must be numbered 1, 2, 3, …, but number ${at + 1} is ${number}.`;
    if (!name || typeof migration.up !== 'function') return `its migration ${number} needs a name and "up".`;
  }
  return undefined;
}

function settingProblem({ name, settings }: ModuleDefinition): string | undefined {
  const prefix = variablePrefix(name);
  const stray =
    settings && settingsOf(settings.prototype as object).find((one) => !one.variable.startsWith(prefix));
  return stray && `its variable ${stray.variable} must start with "${prefix}".`;
}

const MODULE_NAME = /^module_[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Names declared since they were last taken. */
let declared: string[] = [];

/**
 * Notes the name of an event or a kind of job, which modules declare while they are loaded.
 * @throws Error for a name that Parley itself could use
 */
export function declareName(name: string): void {
  requireModuleName(name);
  declared.push(name);
}

/** Returns and clears the names declared since the last call. */
export function takeDeclaredNames(): readonly string[] {
  const names = declared;
  declared = [];
  return names;
}

/** @throws Error for a name that Parley itself could use */
export function requireModuleName(name: string): void {
  if (!MODULE_NAME.test(name)) {
    throw new Error(
      `"${name}" must be "module_" and the name of the module, optionally followed by "_" and more.`,
    );
  }
}

/** Whether a name belongs to a module. */
export function isNameOf(module: string, name: string): boolean {
  return name === wireName(module) || name.startsWith(`${wireName(module)}_`);
}
