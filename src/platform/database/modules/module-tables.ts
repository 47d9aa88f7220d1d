import type { QueryRunner } from 'typeorm';

/** One step of the tables of a module, written once for both engines. */
export interface ModuleMigration {
  /** 1 for the first, and one more for each after it. Never changes once it was released. */
  readonly number: number;
  /** What it is about, in a word or two. Never changes either. */
  readonly name: string;
  /** Makes or changes tables, all of whose names begin with `module_` and the name of the module. It runs in a transaction of its own. */
  up(tables: QueryRunner): Promise<void>;
}

/** What a module has in the database. */
export interface ModuleTables {
  readonly name: string;
  readonly entities: readonly (new () => object)[];
  readonly migrations: readonly ModuleMigration[];
}

/** A migration that was just applied. */
export interface AppliedMigration {
  readonly name: string;
  readonly milliseconds: number;
}

/** What the names of all tables of a module begin with, so that nobody else's are ever called so. */
export function tablePrefix(module: string): string {
  return `module_${module}_`;
}

/** How lists call a migration of a module. */
export function migrationTitle(
  module: string,
  { number, name }: Pick<ModuleMigration, 'number' | 'name'>,
): string {
  return `${module}/${number} ${name}`;
}
