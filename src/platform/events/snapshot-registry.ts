import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommittedReads, type Queryable, type SqlRunner } from '../database/queryable';
import { Audience } from './audience';
import type { Emission } from './emission';
import { NodeRow } from './node-rows';
import type { Snapshot, SnapshotName } from './snapshot';

/** What changed in one commit, by the snapshot that holds it. */
type Touched = ReadonlyMap<SnapshotName, ReadonlySet<number>>;

/** A change of what snapshots hold, as one transaction made it. */
export interface DirectoryChange {
  readonly version: number;
  readonly touched: Touched;
  /** The row that tells the other nodes. */
  readonly emission: Emission;
}

/** Where the log stands for the snapshots: the version they hold, and the row that brought it. */
interface Position {
  readonly version: number;
  readonly number: number;
}

const SNAPSHOT_ROW = NodeRow.snapshot;

/** How often to look again when others keep changing what is being read. */
const MAX_ROUNDS = 3;

interface SnapshotRow {
  readonly type: typeof SNAPSHOT_ROW;
  readonly version: number;
  readonly touched: Record<SnapshotName, number[]>;
}

/**
 * Keeps the snapshots equal to the database. Each exclusive transaction that touches them raises a
 * version by one and writes what it touched into the log; whoever holds an older version reads those rows
 * and reloads what they name.
 */
@Injectable()
export class SnapshotRegistry implements OnModuleInit {
  private readonly logger = new Logger('Snapshots');
  private readonly snapshots = new Map<SnapshotName, Snapshot>();
  /** Null until loaded, and again when a refresh failed half-way: then everything is loaded anew. */
  private position: Position | null = null;
  /** False while the snapshots change, and where the database may have moved on while they were read. */
  private isExact = false;
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: CommittedReads) {}

  /**
   * The version of the database that the snapshots equal now, to compare with the version of a view of the
   * database. Null while they change, and when nobody looked whether they went past a version: ask again
   * after {@link catchUp}.
   */
  get version(): number | null {
    return this.isExact && this.position ? this.position.version : null;
  }

  /** Snapshots load in the order in which they register. */
  register(snapshot: Snapshot): void {
    if (this.snapshots.has(snapshot.name)) throw new Error(`There are two snapshots ${snapshot.name}.`);
    this.snapshots.set(snapshot.name, snapshot);
  }

  /** By now every provider was made, so every snapshot is registered. */
  async onModuleInit(): Promise<void> {
    await this.loadAll();
  }

  loadAll(): Promise<void> {
    return this.inTurn(async () => {
      this.position = null;
      await this.advance(this.database.read);
    });
  }

  /**
   * To be called before a decision rests on the snapshots. Costs a look at one row on PostgreSQL, where
   * another node may have changed something, and nothing on SQLite.
   */
  async catchUp(): Promise<void> {
    if (this.position && (this.database.engine === 'sqlite' || (await this.isCurrent(this.database.read))))
      return;
    await this.inTurn(() => this.advance(this.database.read));
  }

  /** Keeps other exclusive transactions out until this one ends, and catches up within it. */
  async beginExclusive(tx: Queryable): Promise<void> {
    if (this.database.engine === 'postgres') {
      await tx.query('SELECT version FROM directory_version WHERE id = 1 FOR UPDATE');
    } else if (this.position) {
      return;
    }
    await this.inTurn(() => this.advance(tx));
  }

  /** Raises the version, inside the transaction that touched the snapshots. */
  async recordChange(tx: SqlRunner, touched: Touched): Promise<DirectoryChange> {
    for (const name of touched.keys()) {
      if (!this.snapshots.has(name)) throw new Error(`There is no snapshot ${name}.`);
    }
    const { version } = await tx.queryOne<{ version: number }>(
      'UPDATE directory_version SET version = version + 1 WHERE id = 1 RETURNING version',
    );
    const lists = Object.fromEntries([...touched].map(([name, ids]) => [name, [...ids]]));
    const event = { type: SNAPSHOT_ROW, version, touched: lists };
    return { version, touched, emission: { event, audience: Audience.nobody, options: {} } };
  }

  /**
   * Refreshes what a committed transaction of this process touched. Does not throw.
   * @param lastNumber highest number in the log that the transaction was given
   */
  async applyCommitted(db: Queryable, change: DirectoryChange, lastNumber: number): Promise<void> {
    try {
      if (this.database.engine === 'postgres') await this.catchUp();
      else await this.inTurn(() => this.applyOwn(db, change, lastNumber));
    } catch (error) {
      // The change is stored all the same. The next decision that rests on the snapshots loads them anew.
      this.position = null;
      this.logger.error(error);
    }
  }

  private async isCurrent(db: SqlRunner): Promise<boolean> {
    const [row] = await db.query<{ version: number }>('SELECT version FROM directory_version WHERE id = 1');
    return row?.version === this.position?.version;
  }

  /** The only writer of SQLite waits for this, so nothing newer can be read meanwhile. */
  private async applyOwn(
    db: Queryable,
    { version, touched }: DirectoryChange,
    number: number,
  ): Promise<void> {
    if (!this.position) return this.advance(db);
    await this.refresh(db, touched);
    this.position = { version, number };
    this.isExact = true;
  }

  /**
   * Brings the snapshots up to date. What is read may be newer than the version it is read for, so it is exact
   * only if the database still has that version afterwards; otherwise it is brought up to date again.
   */
  private async advance(db: Queryable): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (this.position && (await this.isCurrent(db))) {
        this.isExact = true;
        return;
      }
      await (this.position ? this.follow(db, this.position) : this.load(db));
    }
  }

  /** Reads what the log says was touched since. */
  private async follow(db: Queryable, { version, number }: Position): Promise<void> {
    const rows = await db.query<{ number: number; payload: string }>(
      `SELECT number, payload FROM event_log WHERE type = '${SNAPSHOT_ROW}' AND number > ? ORDER BY number`,
      [number],
    );
    const changes = rows.map((row) => JSON.parse(row.payload) as SnapshotRow);
    const last = rows.at(-1);
    const isComplete = changes.every((change, at) => change.version === version + 1 + at);
    // Rows expire; a node that slept for longer than they live cannot tell what it missed.
    if (last === undefined || !isComplete) return this.load(db);
    await this.refresh(db, merge(changes));
    this.position = { version: version + changes.length, number: last.number };
  }

  private async load(db: Queryable): Promise<void> {
    this.isExact = false;
    this.position = null;
    const [position] = await db.query<Position>(
      `SELECT version, (SELECT COALESCE(MAX(number), 0) FROM event_log WHERE type = '${SNAPSHOT_ROW}') AS number
       FROM directory_version WHERE id = 1`,
    );
    for (const snapshot of this.snapshots.values()) await snapshot.load(db);
    this.position = position ?? null;
  }

  private async refresh(db: Queryable, touched: Touched): Promise<void> {
    this.isExact = false;
    for (const [name, snapshot] of this.snapshots) {
      const ids = touched.get(name);
      if (ids) await snapshot.refresh(db, [...ids]);
    }
  }

  /** One at a time, so that an older state never replaces a newer one. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastTurn.then(work);
    this.lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

function merge(changes: readonly SnapshotRow[]): Touched {
  const touched = new Map<SnapshotName, Set<number>>();
  for (const change of changes) {
    for (const [name, ids] of Object.entries(change.touched)) {
      const known = touched.get(name) ?? new Set();
      for (const id of ids) known.add(id);
      touched.set(name, known);
    }
  }
  return touched;
}
