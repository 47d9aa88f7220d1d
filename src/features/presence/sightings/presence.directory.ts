import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';

/** When a person was last online. Immutable: a change makes a new object. */
export interface PresenceRecord {
  readonly userId: number;
  /** UNIX seconds; null for a person whose clients were never more than idle. */
  readonly activeAt: number | null;
  /** UNIX seconds of the last sign of any client, idle or not. */
  readonly connectedAt: number;
  /** Rises with every change of any person: clients ask for what is newer than what they have. */
  readonly updateId: number;
}

/** What a report changed. */
export interface Sighting {
  readonly record: PresenceRecord;
  /** Whether others took the person for offline or idle until now. */
  readonly cameOnline: boolean;
}

/** A person without a report for this long counts as offline; clients get the same number. */
export const OFFLINE_AFTER_SECONDS = 200;

/** Several clients of one person report each minute; reports closer together than this add nothing. */
const MIN_INTERVAL_SECONDS = 50;

/**
 * Who was online when, in memory: every client reports once a minute, far too often to write each report to the
 * database. PresenceStore writes what changed in batches.
 *
 * Update IDs are UNIX milliseconds, or one more than the last if those do not rise, so that they keep rising over
 * restarts and roughly agree between nodes.
 */
@Injectable()
export class PresenceDirectory {
  private readonly records = new Map<number, PresenceRecord>();
  private unwritten = new Map<number, PresenceRecord>();
  private newestId = 0;

  constructor(private readonly clock: Clock) {}

  /** The newest update ID; -1 if no one was ever online. */
  get lastUpdateId(): number {
    return this.newestId === 0 ? -1 : this.newestId;
  }

  byId(userId: number): PresenceRecord | undefined {
    return this.records.get(userId);
  }

  all(): Iterable<PresenceRecord> {
    return this.records.values();
  }

  /** Takes note of a report. */
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

  /** Takes over rows that this node or another one wrote, if they are newer than what is known. */
  merge(rows: Iterable<PresenceRecord>): void {
    for (const row of rows) {
      const known = this.records.get(row.userId);
      if (known && known.connectedAt >= row.connectedAt) continue;
      // Clients of this node ask for what changed since their last answer, so a newly learned row gets a new ID.
      const updateId = this.newestId < row.updateId ? row.updateId : this.nextId();
      this.newestId = updateId;
      this.records.set(row.userId, { ...row, activeAt: later(known?.activeAt, row.activeAt), updateId });
    }
  }

  /** Forgets when a deleted person was online. */
  forget(userId: number): void {
    this.records.delete(userId);
    this.unwritten.delete(userId);
  }

  /** Forgets everybody, and what clients were told. */
  forgetAll(): void {
    this.records.clear();
    this.unwritten.clear();
    this.newestId = 0;
  }

  /** What is not written yet; from now on it counts as written. */
  takeUnwritten(): PresenceRecord[] {
    const records = [...this.unwritten.values()];
    this.unwritten = new Map();
    return records;
  }

  /** Takes back what could not be written. */
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
