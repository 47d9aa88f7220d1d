import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';

/** When a person was last there. Never altered: a change makes a new one. */
export interface PresenceRecord {
  readonly userId: number;
  /** UNIX seconds; null for somebody whose clients only ever were idle. */
  readonly activeAt: number | null;
  /** UNIX seconds of the last sign of any client, idle or not. */
  readonly connectedAt: number;
  /** Rises with every change of anybody's: clients ask for what is newer than what they have. */
  readonly updateId: number;
}

/** What a sign of life changed. */
export interface Sighting {
  readonly record: PresenceRecord;
  /** Whether others thought the person gone or idle until now. */
  readonly cameOnline: boolean;
}

/** After so long without a sign somebody counts as gone; clients are told the same number. */
export const OFFLINE_AFTER_SECONDS = 200;

/** Several clients of one person report each minute; signs closer together than this say nothing new. */
const MIN_INTERVAL_SECONDS = 50;

/**
 * Who was there when, in memory: signs of life come once a minute from everybody, far too often to write each
 * of them down. What changed is written in batches by PresenceStore.
 *
 * Update IDs are UNIX milliseconds, or one more than the last where those do not rise, so that they go on
 * rising over restarts and fit together, more or less, between nodes.
 */
@Injectable()
export class PresenceDirectory {
  private readonly records = new Map<number, PresenceRecord>();
  private unwritten = new Map<number, PresenceRecord>();
  private newestId = 0;

  constructor(private readonly clock: Clock) {}

  /** The newest update ID; -1 where nobody ever was there. */
  get lastUpdateId(): number {
    return this.newestId === 0 ? -1 : this.newestId;
  }

  byId(userId: number): PresenceRecord | undefined {
    return this.records.get(userId);
  }

  all(): Iterable<PresenceRecord> {
    return this.records.values();
  }

  /** Takes note of a sign of life. */
  note(userId: number, isActive: boolean): Sighting {
    const now = this.clock.nowSeconds();
    const before = this.records.get(userId);
    const isLate = (at: number | null) => at === null || now - at >= MIN_INTERVAL_SECONDS;
    if (before && !isLate(before.connectedAt) && !(isActive && isLate(before.activeAt))) {
      return { record: before, cameOnline: false };
    }
    const isGone = (at: number | null) => at === null || now - at > OFFLINE_AFTER_SECONDS;
    const activeAt = isActive ? now : (before?.activeAt ?? null);
    const record = { userId, activeAt, connectedAt: now, updateId: this.nextId() };
    this.records.set(userId, record);
    this.unwritten.set(userId, record);
    const cameOnline = !before || isGone(before.connectedAt) || (isActive && isGone(before.activeAt));
    return { record, cameOnline };
  }

  /** Takes over what was written by this node or another one, as far as it is newer than what is known. */
  merge(rows: Iterable<PresenceRecord>): void {
    for (const row of rows) {
      const known = this.records.get(row.userId);
      if (known && known.connectedAt >= row.connectedAt) continue;
      // Clients of this node ask for what this node learned since, so it gets a number of today.
      const updateId = this.newestId < row.updateId ? row.updateId : this.nextId();
      this.newestId = updateId;
      this.records.set(row.userId, { ...row, activeAt: later(known?.activeAt, row.activeAt), updateId });
    }
  }

  /** Nobody is shown when somebody was there who is gone for good. */
  forget(userId: number): void {
    this.records.delete(userId);
    this.unwritten.delete(userId);
  }

  /** What is not written down yet; from now on it counts as written. */
  takeUnwritten(): PresenceRecord[] {
    const records = [...this.unwritten.values()];
    this.unwritten = new Map();
    return records;
  }

  /** Gives back what could not be written. */
  giveBack(records: readonly PresenceRecord[]): void {
    for (const record of records) {
      if (!this.unwritten.has(record.userId)) this.unwritten.set(record.userId, record);
    }
  }

  private nextId(): number {
    this.newestId = Math.max(this.clock.nowMs(), this.newestId + 1);
    return this.newestId;
  }
}

function later(one: number | null | undefined, other: number | null): number | null {
  if (one == null || other === null) return one ?? other;
  return Math.max(one, other);
}
