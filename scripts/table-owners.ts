import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import imports from './import-table.json';

/** Tables without an entity, by the owning feature or part of the platform. */
const withoutEntity: Readonly<Record<string, string>> = imports.tables;

/** The owner of each table: the feature whose folder contains its entity, or `platform`. */
export function tableOwners(root: string): Map<string, string> {
  const owners = new Map(Object.entries(withoutEntity));
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.entity.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const owner = /features[\\/]([^\\/]+)/.exec(path)?.[1] ?? 'platform';
    for (const [, table] of readFileSync(path, 'utf8').matchAll(/@Entity\('([a-z_]+)'/g)) {
      if (table !== undefined) owners.set(table, owner);
    }
  }
  return owners;
}
