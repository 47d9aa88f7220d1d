import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { addToState, readState } from '../../platform/database/server-state';
import type { Transaction } from '../../platform/database/transaction.service';

const STATE_KEY = 'upload_space_used';

/** How many bytes all uploads take together: kept as a running total, since summing up all rows would take ever longer. */
@Injectable()
export class UploadSpaceService {
  async used(db: Queryable): Promise<number> {
    return Number((await readState(db, STATE_KEY)) ?? 0);
  }

  /**
   * Notes that bytes were added, or with a negative number removed. On PostgreSQL this makes others who change
   * the total wait, so do it late.
   * @returns the new total
   */
  async change(tx: Transaction, bytes: number): Promise<number> {
    return addToState(tx, STATE_KEY, bytes);
  }
}
