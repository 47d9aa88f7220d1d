import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { newestMessageId } from './message-order';

/** A message ID, and a transaction number that no transaction had when it was the newest one. */
interface Horizon {
  readonly messageId: number;
  readonly nextTransaction: bigint;
}

interface SnapshotRow {
  readonly newest: number;
  readonly oldest_open: string;
  readonly next: string;
}

/**
 * Knows an ID up to which no further message will appear, without making anyone wait. On PostgreSQL a message that
 * is being sent has an ID and is not visible yet (see message-order.ts); its transaction got its number before the
 * message got its ID, since it locks the topic or conversation first. So once all transactions are over that were
 * open when some message was the newest, everything up to that message is visible or will never be.
 */
@Injectable()
export class SettledMessagesService {
  private settledId = 0;
  private awaited: Horizon | null = null;

  /** Lags behind the newest message, on PostgreSQL by as much as happened since it was last asked. */
  async newest(db: Queryable): Promise<number> {
    if (db.engine === 'sqlite') return newestMessageId(db);
    const [row] = await db.query<SnapshotRow>(
      `SELECT COALESCE((SELECT MAX(id) FROM message), 0) AS newest,
         pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_open,
         pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
    );
    const { newest, oldest_open: oldestOpen, next } = row as SnapshotRow;
    if (this.awaited && BigInt(oldestOpen) >= this.awaited.nextTransaction) {
      this.settledId = Math.max(this.settledId, this.awaited.messageId);
      this.awaited = null;
    }
    this.awaited ??= { messageId: newest, nextTransaction: BigInt(next) };
    return this.settledId;
  }
}
