import { migrations as former } from './migrations';
import type { FeatureTables, MigrationClass } from './database.options';

/**
 * Every migration of the program, oldest first: those of before features had their own, and theirs.
 * @throws where two have one number
 */
export function knownMigrations({ migrations = [] }: FeatureTables): MigrationClass[] {
  const known = new Map<number, MigrationClass>();
  for (const migration of [...former, ...migrations]) {
    const number = numberOf(migration);
    const other = known.get(number);
    if (other)
      throw new Error(`${migration.name} has the same number as ${other.name}. Use the next free number.`);
    known.set(number, migration);
  }
  return [...known].sort(([one], [next]) => one - next).map(([, migration]) => migration);
}

/** TypeORM takes the time of a migration, which is its place, from the end of its name. */
function numberOf({ name }: MigrationClass): number {
  const number = /\d{13}$/.exec(name)?.[0];
  if (number === undefined) throw new Error(`The name of ${name} does not end with its number.`);
  return Number(number);
}
