import type { QueryRunner } from 'typeorm';

/** One step of the tables of a module, written once for both engines. */
export interface ModuleMigration {
  /** 1 for the first, and one more for each after it. Never changes once it was released. */
  readonly number: number;
  /** What it is about, in a word or two. Never changes either. */
  readonly name: string;
  /**
   * Creates or changes tables, whose names start with `module_` and the module's name. Runs in a separate transaction.
   */
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

/** Prefix of all table names of a module, so that they are unique. */
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
