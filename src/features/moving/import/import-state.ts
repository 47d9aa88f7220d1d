import { readState, writeState } from '../../../platform/database/server-state';
import type { SqlRunner } from '../../../platform/sql/queryable';
import type { IdBases } from './source/survey';
import { CommandRefused } from '../../../platform/operator/operator-commands';
import { StartRefused } from '../../../platform/config/start-refused';

/** Key of the state of the server under which an import is remembered. */
const KEY = 'import';

/** How far an import has come. It stays, so that the same archive does nothing the second time. */
export interface ImportState {
  /** Of the archive, in hex. */
  readonly digest: string;
  readonly bases: IdBases;
  /** Only account before the import. */
  readonly ownerId: number;
  /** Names of the steps that are stored. */
  readonly done: readonly string[];
  /** Length of the ledger at the end of the last of them. */
  readonly ledgerBytes?: number;
  readonly isFinished: boolean;
}

/** Null where nothing was imported ever. */
export async function readImportState(db: SqlRunner): Promise<ImportState | null> {
  const text = await readState(db, KEY);
  return text === null ? null : (JSON.parse(text) as ImportState);
}

/**
 * Remembers an import in the transaction that brings it further.
 * @param before how far it was; null at its beginning
 * @throws CommandRefused where another process has brought it further meanwhile: on PostgreSQL nothing else keeps two apart
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

/** The database holds a part of an archive. */
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
