import { StartRefused } from '../../platform/config/start-refused';
import type { SqlRunner } from '../../platform/sql/queryable';
import { readImportState } from './import-state';

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
