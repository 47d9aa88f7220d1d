import type { Transaction } from '../../../../platform/database/transaction.service';
import { ParameterProblem } from '../../../../platform/errors/request.errors';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { PERSONAL_SETTING_NAMES, PERSONAL_SETTINGS } from '../../../users/users.module';
import { ArchiveRow, RowUnusable } from '../records/archive-row';
import type { Ledger } from '../records/ledger';
import type { ArchiveSource } from '../source/archive-source';
import type { LocalFacts, Survey } from '../source/survey';

/** What everything needs that takes over a part of an archive. */
export interface ImportContext {
  readonly source: ArchiveSource;
  readonly survey: Survey;
  readonly ledger: Ledger;
  readonly local: LocalFacts;
  readonly operator: OperatorContext;
}

/** Writes what was made ready. */
export type PreparedStep = (tx: Transaction) => Promise<void>;

/** A part of an import, written in one transaction. */
export interface ImportStep {
  readonly name: string;
  /** Slow work before the transaction: files, pictures, rendering. */
  prepare(context: ImportContext): Promise<PreparedStep>;
  /** Does what {@link prepare} does without keeping anything, where that keeps something. */
  rehearse?(context: ImportContext): Promise<unknown>;
}

/** Rows of tables that could be used, as something else; what could not goes to the ledger. */
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

/** The row as something else; null where it cannot be used, which goes to the ledger. */
export function usable<T>(ledger: Ledger, row: ArchiveRow, convert: (row: ArchiveRow) => T | null): T | null {
  try {
    return convert(row);
  } catch (error) {
    if (!(error instanceof RowUnusable)) throw error;
    ledger.note('left out', row.table, row.name, error.message);
    return null;
  }
}

/** Refuses what is there twice. */
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

/** Personal settings of a row that differ from their initial values; those that cannot be keep the initial one. */
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
