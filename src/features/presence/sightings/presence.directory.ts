import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';

/** When a person was last online. Immutable: a change creates a new object. */
export interface PresenceRecord {
  readonly userId: number;
  /** UNIX seconds; null for a person whose clients were never more than idle. */
  readonly activeAt: number | null;
  /** UNIX seconds of the last sign of any client, idle or not. */
  readonly connectedAt: number;
  /** Increases with every change of any person: clients request changes after the last one they have. */
  readonly updateId: number;
}

/** The result of a report. */
export interface Sighting {
  readonly record: PresenceRecord;
  /** Whether the person was offline or idle until now. */
  readonly cameOnline: boolean;
}

/** A person without a report for this long counts as offline; clients use the same number. */
export const OFFLINE_AFTER_SECONDS = 200;

/** Several clients of one person report each minute; reports closer together than this add nothing. */
const MIN_INTERVAL_SECONDS = 50;

/**
 * Everyone's presence in memory: each client reports once a minute, far too often to write every report to the
 * database. PresenceStore writes changes in batches.
 *
 * Update IDs are UNIX milliseconds, or one more than the last if those do not increase, so that they keep increasing
 * over restarts and roughly agree between nodes.
 */
@Injectable()
export class PresenceDirectory {
  private readonly records = new Map<number, PresenceRecord>();
  private unwritten = new Map<number, PresenceRecord>();
  private newestId = 0;

  constructor(private readonly clock: Clock) {}

  /** The newest update ID; -1 if nobody was ever online. */
  get lastUpdateId(): number {
    return this.newestId === 0 ? -1 : this.newestId;
  }

  byId(userId: number): PresenceRecord | undefined {
    return this.records.get(userId);
  }

  all(): Iterable<PresenceRecord> {
    return this.records.values();
  }

  /** Records a report. */
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

  /** Adopts rows written by this or another node, if they are newer. */
  merge(rows: Iterable<PresenceRecord>): void {
    for (const row of rows) {
      const known = this.records.get(row.userId);
      if (known && known.connectedAt >= row.connectedAt) continue;
      // Clients of this node request changes since their last response, so newly adopted rows get a new ID.
      const updateId = this.newestId < row.updateId ? row.updateId : this.nextId();
      this.newestId = updateId;
      this.records.set(row.userId, { ...row, activeAt: later(known?.activeAt, row.activeAt), updateId });
    }
  }

  /** Deletes the presence of a deleted person. */
  forget(userId: number): void {
    this.records.delete(userId);
    this.unwritten.delete(userId);
  }

  /** Deletes everyone's presence, and what clients have received. */
  forgetAll(): void {
    this.records.clear();
    this.unwritten.clear();
    this.newestId = 0;
  }

  /** Changes that have not been written yet; from now on they count as written. */
  takeUnwritten(): PresenceRecord[] {
    const records = [...this.unwritten.values()];
    this.unwritten = new Map();
    return records;
  }

  /** Returns changes that could not be written. */
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
