import { MODULE_METADATA } from '@nestjs/common/constants';
import type { Type } from '@nestjs/common';
import type { ModuleMigration } from '../database/database.options';

/** A module, as exported by its package; created by {@link defineModule}. */
export interface ModuleDefinition {
  /**
   * Lower-case letters and digits, such as `polls`. It is the prefix of everything that shares a namespace: tables
   * (`module_polls_`), routes (`/api/v1/modules/polls`), events, state and jobs (`module_polls`), and environment
   * variables (`MODULE_POLLS_`).
   */
  readonly name: string;
  /** One sentence for operators. */
  readonly about: string;
  /** The Nest module with its controllers and services. It declares its entities with `TypeOrmModule.forFeature`. */
  readonly module: Type;
  readonly migrations?: readonly ModuleMigration[];
  /** A class whose fields are declared with `Setting`; services get its single instance injected. */
  readonly settings?: new () => object;
}

const definitions = new WeakSet<object>();

/** Declares a module. Its package exports the result, as `default` or as its only export. */
export function defineModule(definition: ModuleDefinition): ModuleDefinition {
  const defined = Object.freeze({ ...definition });
  definitions.add(defined);
  return defined;
}

/** Whether a value was made by {@link defineModule} of this copy of the program. */
export function isModuleDefinition(value: unknown): value is ModuleDefinition {
  return typeof value === 'object' && value !== null && definitions.has(value);
}

/** The prefix of the names of a module's events, state and jobs. */
export function wireName(module: string): string {
  return `module_${module}`;
}

/** The prefix of a module's environment variables. */
export function variablePrefix(module: string): string {
  return `MODULE_${module.toUpperCase()}_`;
}

/** The prefix of a module's routes. */
export function routePrefix(module: string): string {
  return `api/v1/modules/${module}`;
}

/** The Nest module of a module and all that it imports, because any of them may contain controllers. */
export function nestModulesOf(module: Type): Type[] {
  const found = new Set<Type>();
  const add = (part: unknown): void => {
    if (typeof part !== 'function' || found.has(part as Type)) return;
    found.add(part as Type);
    const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, part) ?? []) as unknown[];
    // A dynamic module names its class; Nest refuses anything else.
    for (const each of imports) add((each as { module?: unknown } | null)?.module ?? each);
  };
  add(module);
  return [...found];
}
