import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';

interface Row {
  user_id: number;
  muted_user_id: number;
  muted_at: number;
}

const ALL_ROWS = 'SELECT user_id, muted_user_id, muted_at FROM muted_user';
const IN_ORDER = 'ORDER BY muted_at, muted_user_id';

const NOBODY: ReadonlySet<number> = new Set();
const NOTHING: ReadonlyMap<number, number> = new Map();

/** Muted users in memory, so that sending reads no table. Touched by the IDs of the muting users. */
@Injectable()
export class MutedUserDirectory extends Directory {
  readonly name = 'muted_users';

  private readonly muted = new Map<number, Map<number, number>>();
  private readonly muters = new Map<number, Set<number>>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** The people whom a person muted, and when in UNIX seconds, oldest first. */
  mutedBy(userId: number): ReadonlyMap<number, number> {
    return this.muted.get(userId) ?? NOTHING;
  }

  /** Everyone who muted a person. */
  mutersOf(userId: number): ReadonlySet<number> {
    return this.muters.get(userId) ?? NOBODY;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(`${ALL_ROWS} ${IN_ORDER}`);
    this.muted.clear();
    this.muters.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL_ROWS} WHERE user_id IN (?) ${IN_ORDER}`, [ids]);
    for (const userId of ids) {
      for (const mutedId of this.mutedBy(userId).keys()) this.muters.get(mutedId)?.delete(userId);
      this.muted.delete(userId);
    }
    this.keep(rows);
  }

  private keep(rows: readonly Row[]): void {
    for (const { user_id: userId, muted_user_id: mutedId, muted_at: mutedAt } of rows) {
      const muted = this.muted.get(userId) ?? new Map<number, number>();
      this.muted.set(userId, muted.set(mutedId, mutedAt));
      const muters = this.muters.get(mutedId) ?? new Set<number>();
      this.muters.set(mutedId, muters.add(userId));
    }
  }
}
