import { StartRefused } from '../../config/start-refused';
import type { SqlRunner } from '../../sql/queryable';
import { readState } from '../server-state';

/** Of the row of `server_state` that says that a move into this database has begun and is not over. */
export const UNFINISHED_MOVE = 'unfinished move';

/** The database holds what a move has copied so far, while another one may still be in use. */
class MoveUnfinished extends StartRefused {
  constructor() {
    super(
      'An earlier move to this database did not finish. Run "parley move" again without DATABASE_URL. The data is still ' +
        'in the previous database.',
    );
  }
}

/** @throws {MoveUnfinished} */
export async function refuseUnfinishedMove(db: SqlRunner): Promise<void> {
  if ((await readState(db, UNFINISHED_MOVE)) !== null) throw new MoveUnfinished();
}
