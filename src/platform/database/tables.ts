import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { EntityClass, FeatureTables, MigrationClass } from './database.options';

const ownMigrations = new WeakMap<object, readonly MigrationClass[]>();

/**
 * Says on the module of a feature which migrations lie in its folder; earlier ones are in `migrations/index.ts`.
 * @public `npm run new-feature` writes it
 */
export function Migrations(...migrations: readonly MigrationClass[]): ClassDecorator {
  return (target) => {
    ownMigrations.set(target, migrations);
  };
}

/** What `TypeOrmModule.forFeature` declares, as far as it tells which entity a repository is of. */
interface RepositoryProvider {
  /** The entity's name and `Repository`. */
  readonly provide: string;
  /** Missing for a class without `@Entity()`. */
  readonly targetEntitySchema?: { readonly target: EntityClass };
}

/** The repositories that a Nest module imports by `TypeOrmModule.forFeature`. */
function repositoriesOf(module: Type): readonly RepositoryProvider[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as readonly {
    readonly module?: unknown;
    readonly providers?: readonly RepositoryProvider[];
  }[];
  return imports.flatMap((each) => (each.module === TypeOrmModule ? (each.providers ?? []) : []));
}

/** The entities that a Nest module declares. */
export function entitiesOf(module: Type): EntityClass[] {
  return repositoriesOf(module).flatMap(({ targetEntitySchema }) => targetEntitySchema?.target ?? []);
}

/** Names of the classes that a Nest module declares as entities, and that have no `@Entity()`. */
export function undecoratedEntities(module: Type): string[] {
  return repositoriesOf(module).flatMap(({ provide, targetEntitySchema }) =>
    targetEntitySchema ? [] : [provide.replace(/Repository$/, '')],
  );
}

/** The tables of all these features together. */
export function tablesOf(modules: readonly Type[]): Required<FeatureTables> {
  return {
    entities: modules.flatMap(entitiesOf),
    migrations: modules.flatMap((module) => ownMigrations.get(module) ?? []),
  };
}
