import type { Type } from '@nestjs/common';
import type { FeatureTables } from './database.options';

const declared = new WeakMap<object, FeatureTables>();

/** Says on the module of a feature which tables it owns, and how they are made. */
export function Tables(tables: FeatureTables): ClassDecorator {
  return (target) => {
    declared.set(target, tables);
  };
}

/** The tables of all these features together. */
export function tablesOf(modules: readonly Type[]): Required<FeatureTables> {
  const each = modules.map((module) => declared.get(module) ?? {});
  return {
    entities: each.flatMap(({ entities = [] }) => entities),
    migrations: each.flatMap(({ migrations = [] }) => migrations),
  };
}
