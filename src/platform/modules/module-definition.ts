import { MODULE_METADATA } from '@nestjs/common/constants';
import type { Type } from '@nestjs/common';
import type { ModuleMigration } from '../database/database.options';

/** What a module is: what its package exports, made by {@link defineModule}. */
export interface ModuleDefinition {
  /**
   * Small letters and digits, such as `polls`. Everything that the module has beside others begins with it: its tables
   * (`module_polls_`), its routes (`/api/v1/modules/polls`), its events, state and jobs (`module_polls`), and its variables
   * of the environment (`MODULE_POLLS_`).
   */
  readonly name: string;
  /** One sentence for operators. */
  readonly about: string;
  /** The Nest module with its controllers and services. It declares its entities by `TypeOrmModule.forFeature`. */
  readonly module: Type;
  readonly migrations?: readonly ModuleMigration[];
  /** A class whose fields are declared with `Setting`; services get the one object of it injected. */
  readonly settings?: new () => object;
}

const definitions = new WeakSet<object>();

/** Declares a module. Its package exports what this returns, as `default` or as all that it exports. */
export function defineModule(definition: ModuleDefinition): ModuleDefinition {
  const defined = Object.freeze({ ...definition });
  definitions.add(defined);
  return defined;
}

/** Whether a value was made by {@link defineModule} of this copy of the program. */
export function isModuleDefinition(value: unknown): value is ModuleDefinition {
  return typeof value === 'object' && value !== null && definitions.has(value);
}

/** What the names of events, state and jobs of a module begin with, or are. */
export function wireName(module: string): string {
  return `module_${module}`;
}

/** What the variables of a module begin with. */
export function variablePrefix(module: string): string {
  return `MODULE_${module.toUpperCase()}_`;
}

/** Where the routes of a module are. */
export function routePrefix(module: string): string {
  return `api/v1/modules/${module}`;
}

/** The Nest module of a module, and all that it imports, since controllers may stand in any of them. */
export function nestModulesOf(module: Type): Type[] {
  const found = new Set<Type>();
  const add = (part: unknown): void => {
    if (typeof part !== 'function' || found.has(part as Type)) return;
    found.add(part as Type);
    const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, part) ?? []) as unknown[];
    // One that is made for the occasion names its class; what else there may be, Nest refuses.
    for (const each of imports) add((each as { module?: unknown } | null)?.module ?? each);
  };
  add(module);
  return [...found];
}
