import { readState, writeState } from '../../../platform/database/server-state';
import type { SqlRunner } from '../../../platform/sql/queryable';
import type { IdBases } from './source/survey';
import { CommandRefused } from '../../../platform/operator/operator-commands';
import { StartRefused } from '../../../platform/config/start-refused';

/** Key in `server_state` of the progress of an import. */
const KEY = 'import';

/** Progress of an import. It stays, so that importing the same archive again does nothing. */
export interface ImportState {
  /** Digest of the archive, in hex. */
  readonly digest: string;
  readonly bases: IdBases;
  /** The only account before the import. */
  readonly ownerId: number;
  /** Names of stored steps. */
  readonly done: readonly string[];
  /** Length of the ledger after the last stored step. */
  readonly ledgerBytes?: number;
  readonly isFinished: boolean;
}

/** Reads the state; null if nothing was ever imported. */
export async function readImportState(db: SqlRunner): Promise<ImportState | null> {
  const text = await readState(db, KEY);
  return text === null ? null : (JSON.parse(text) as ImportState);
}

/**
 * Stores the progress of an import in the transaction that makes it.
 * @param before the previous state; null at the beginning
 * @throws CommandRefused if another process has stored progress since, which nothing else prevents on PostgreSQL
 */
export async function advanceImportState(
  tx: SqlRunner,
  before: ImportState | null,
  state: ImportState,
): Promise<void> {
  if ((await readState(tx, KEY)) !== (before === null ? null : JSON.stringify(before)))
    throw new CommandRefused('Another import is running on this database. Wait until it is done.');
  await writeState(tx, KEY, JSON.stringify(state));
}

/** The database contains only a part of an archive. */
class ImportUnfinished extends StartRefused {
  constructor() {
    super('An import did not finish. Run the same "parley import" again: it goes on where it stopped.');
  }
}

/** @throws ImportUnfinished */
export async function refuseUnfinishedImport(db: SqlRunner): Promise<void> {
  const state = await readImportState(db);
  if (state !== null && !state.isFinished) throw new ImportUnfinished();
}
