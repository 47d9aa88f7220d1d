import type { Transaction } from '../../../../platform/database/transaction.service';
import { ParameterProblem } from '../../../../platform/errors/request.errors';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { PERSONAL_SETTING_NAMES, PERSONAL_SETTINGS } from '../../../users/users.module';
import { ArchiveRow, RowUnusable } from '../records/archive-row';
import type { Ledger } from '../records/ledger';
import type { ArchiveSource } from '../source/archive-source';
import type { LocalFacts, Survey } from '../source/survey';

/** Shared state of all steps of an import. */
export interface ImportContext {
  readonly source: ArchiveSource;
  readonly survey: Survey;
  readonly ledger: Ledger;
  readonly local: LocalFacts;
  readonly operator: OperatorContext;
}

/** Writes the prepared rows. */
export type PreparedStep = (tx: Transaction) => Promise<void>;

/** A step of an import, written in one transaction. */
export interface ImportStep {
  readonly name: string;
  /** Slow work before the transaction: files, pictures, rendering. */
  prepare(context: ImportContext): Promise<PreparedStep>;
  /** Dry run of {@link prepare}, if that stores anything. */
  rehearse?(context: ImportContext): Promise<unknown>;
}

/** Converts the usable rows of tables; notes the others in the ledger. */
export async function usableRows<T>(
  { source, ledger }: ImportContext,
  tables: readonly string[],
  convert: (row: ArchiveRow) => T | null,
): Promise<T[]> {
  const rows: T[] = [];
  for await (const { table, row } of source.main(...tables)) {
    if (row === null) continue;
    const used = usable(ledger, new ArchiveRow(table, row), convert);
    if (used !== null) rows.push(used);
  }
  return rows;
}

/** Converts a row; returns null if it is unusable, which is noted in the ledger. */
export function usable<T>(ledger: Ledger, row: ArchiveRow, convert: (row: ArchiveRow) => T | null): T | null {
  try {
    return convert(row);
  } catch (error) {
    if (!(error instanceof RowUnusable)) throw error;
    ledger.note('left out', row.table, row.name, error.message);
    return null;
  }
}

/** Rejects duplicates. */
export class Unique {
  private readonly seen = new Set<string>();

  /** @throws RowUnusable */
  require(...key: readonly (string | number)[]): void {
    const text = JSON.stringify(key);
    if (this.seen.has(text)) throw new RowUnusable('There is another row for the same.');
    this.seen.add(text);
  }

  has(...key: readonly (string | number)[]): boolean {
    return this.seen.has(JSON.stringify(key));
  }
}

/** Personal settings of a row that differ from their defaults. Invalid values fall back to the default. */
export function chosenSettings(row: ArchiveRow, ledger: Ledger): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const name of PERSONAL_SETTING_NAMES) {
    const given = row.value(name);
    if (given === undefined || given === null) continue;
    const { type, initial } = PERSONAL_SETTINGS[name];
    try {
      const value: unknown = type.decode(typeof given === 'string' ? given : JSON.stringify(given), name);
      if (value !== initial) chosen[name] = value;
    } catch (error) {
      if (!(error instanceof ParameterProblem)) throw error;
      ledger.note('replaced', row.table, row.name, `"${name}" has a value that does not exist here.`);
    }
  }
  return chosen;
}
