import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import imports from './import-table.json';

/** Tables without an entity, by the feature or part of the platform that keeps them. */
const withoutEntity: Readonly<Record<string, string>> = imports.tables;

/** Which feature owns each table, or `platform`: that in whose folder its entity lies. */
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
