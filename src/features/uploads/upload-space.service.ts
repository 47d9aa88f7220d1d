import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';

const STATE_KEY = 'upload_space_used';

/** How many bytes all uploads take together: kept as a running total, since summing up all rows would take ever longer. */
@Injectable()
export class UploadSpaceService {
  async used(db: Queryable): Promise<number> {
    const [row] = await db.query<{ value: string }>('SELECT value FROM server_state WHERE key = ?', [
      STATE_KEY,
    ]);
    return Number(row?.value ?? 0);
  }

  /**
   * Notes that bytes were added, or with a negative number removed. On PostgreSQL this makes others who change
   * the total wait, so do it late.
   * @returns the new total
   */
  async change(tx: Transaction, bytes: number): Promise<number> {
    const [row] = await tx.query<{ value: string }>(
      `INSERT INTO server_state (key, value) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE
       SET value = CAST(CAST(server_state.value AS bigint) + CAST(excluded.value AS bigint) AS text)
       RETURNING value`,
      [STATE_KEY, String(bytes)],
    );
    return Number(row?.value);
  }
}
