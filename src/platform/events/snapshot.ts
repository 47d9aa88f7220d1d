import type { Queryable } from '../database/queryable';

/** Names a snapshot; written into the log, so a name once used keeps its meaning. */
export type SnapshotName =
  'organization' | 'accounts' | 'groups' | 'channels' | 'subscriptions' | (string & {});

/**
 * Tables kept in memory, so that permission checks cost no query. Other requests read it between any two
 * awaits: read everything first, then change what is in memory without awaiting in between.
 */
export abstract class Snapshot {
  abstract readonly name: SnapshotName;

  /** Replaces everything by what the tables hold. */
  abstract load(db: Queryable): Promise<void>;

  /**
   * Brings the touched things up to date. May be called for a change it already holds.
   * @param ids as given to `touch`; what they name is the snapshot's affair
   */
  abstract refresh(db: Queryable, ids: readonly number[]): Promise<void>;
}
