import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CommittedReads, type Queryable, type SqlRunner } from '../sql/queryable';
import { Rounds } from '../rounds';
import { Audience } from './audience';
import { type Emission, NodeRow } from './server-event';

/** Name of a directory; stored in the log, so its meaning must not change. */
export type DirectoryName =
  'organization' | 'accounts' | 'groups' | 'channels' | 'subscriptions' | (string & {});

/**
 * A table kept in memory, so that permission checks cost no query. Other requests read it between any two awaits: read
 * everything first, then change the memory without awaiting in between.
 */
export abstract class Directory {
  abstract readonly name: DirectoryName;

  /** Replaces everything with the contents of the tables. */
  abstract load(db: Queryable): Promise<void>;

  /**
   * Reloads the touched entries. May be called for a change that is already loaded.
   * @param ids as given to `touch`; their meaning depends on the directory
   */
  abstract refresh(db: Queryable, ids: readonly number[]): Promise<void>;
}

/** Changed IDs of one commit, by directory. */
type Touched = ReadonlyMap<DirectoryName, ReadonlySet<number>>;

/**
 * The directory changes of one transaction. Versions increase by random steps, so that a database that lost commits
 * does not repeat a version that a node already has.
 */
export interface DirectoryChange {
  readonly version: number;
  readonly touched: Touched;
  /** The log row that notifies the other nodes. */
  readonly emission: Emission;
}

/** The loaded version of the directories, and its position in the log. */
interface Position {
  readonly version: number;
  readonly number: number;
}

const DIRECTORY_ROW = NodeRow.directories;

/** How often to retry while others keep changing what is being read. */
const MAX_ROUNDS = 3;

/** Versions stay below 2^53 for decades of changes, a hundred each second. */
const LONGEST_STEP = 2 ** 18;

interface DirectoryRow {
  readonly type: typeof DIRECTORY_ROW;
  /** The previous version; older releases did not write it. */
  readonly previous?: number;
  readonly version: number;
  readonly touched: Record<DirectoryName, number[]>;
}

/**
 * Keeps all directories equal to the database. Each exclusive transaction that touches them raises the version and logs
 * the touched entries; nodes with an older version read those rows and reload the entries.
 */
@Injectable()
export class Directories implements OnModuleInit {
  private readonly logger = new Logger('Directories');
  private readonly all = new Map<DirectoryName, Directory>();
  /** Null until loaded, and after a refresh failed midway: then everything is reloaded. */
  private position: Position | null = null;
  /** False while the directories change, and if the database may have changed while they were read. */
  private isExact = false;
  private lastWork: Promise<unknown> = Promise.resolve();
  private readonly looks = new Rounds(() => versionIn(this.database.read));

  constructor(private readonly database: CommittedReads) {}

  /**
   * The database version that the directories equal now, for comparison with a snapshot's version. Null while they
   * change, or if the version has not been checked: read it again after {@link catchUp}.
   */
  get version(): number | null {
    return this.isExact && this.position ? this.position.version : null;
  }

  /** Whether {@link catchUp} has work to do: on SQLite, only this process changes directories. */
  get mayBeBehind(): boolean {
    return this.database.engine !== 'sqlite' || !this.position;
  }

  /** Registers a directory. Directories load in the order of registration. */
  register(directory: Directory): void {
    if (this.all.has(directory.name)) throw new Error(`Duplicate directory ${directory.name}.`);
    this.all.set(directory.name, directory);
  }

  /** By now all providers exist, so every directory is registered. */
  async onModuleInit(): Promise<void> {
    await this.loadAll();
  }

  loadAll(): Promise<void> {
    return this.serially(async () => {
      this.position = null;
      await this.advance(this.database.read);
    });
  }

  /**
   * Call it before a decision that depends on the directories. Costs reading one row on PostgreSQL, where another node
   * may have changed something, and nothing on SQLite. Callers share a check that begins after all of their calls.
   */
  catchUp(): Promise<void> {
    return this.catchUpWith(() => this.looks.join());
  }

  /** The same for readers of the log, who may see it before the directories contain this node's own commits. */
  async catchUpWithLog(): Promise<void> {
    await this.catchUp();
    await this.lastWork;
  }

  /**
   * The same inside a transaction that took locks first: the directories then contain everything that happened before
   * the locks. Send it together with the locking statement.
   */
  catchUpIn(tx: Queryable): Promise<void> {
    return this.catchUpWith(() => versionIn(tx));
  }

  private async catchUpWith(look: () => Promise<number | undefined>): Promise<void> {
    if (!this.mayBeBehind) return;
    const version = await look();
    if (version !== undefined && version === this.position?.version) return;
    await this.serially(() => this.advance(this.database.read));
  }

  /** Excludes other exclusive transactions until this one ends, and catches up within it. */
  async beginExclusive(tx: Queryable): Promise<void> {
    if (this.database.engine === 'postgres') {
      await tx.query('SELECT version FROM directory_version WHERE id = 1 FOR UPDATE');
    } else if (this.position) {
      return;
    }
    await this.serially(() => this.advance(tx));
  }

  /** Raises the version within the transaction that touched the directories. */
  async recordChange(tx: SqlRunner, touched: Touched): Promise<DirectoryChange> {
    for (const name of touched.keys()) {
      if (!this.all.has(name)) throw new Error(`Unknown directory ${name}.`);
    }
    const step = randomInt(1, LONGEST_STEP);
    const { version } = await tx.queryOne<{ version: number }>(
      'UPDATE directory_version SET version = version + ? WHERE id = 1 RETURNING version',
      [step],
    );
    const lists = Object.fromEntries([...touched].map(([name, ids]) => [name, [...ids]]));
    const event = { type: DIRECTORY_ROW, previous: version - step, version, touched: lists };
    return { version, touched, emission: { event, audience: Audience.none, options: {} } };
  }

  /**
   * Reloads the entries touched by a committed transaction of this process. Does not throw.
   * @param lastNumber highest log number of the transaction
   */
  async applyCommitted(db: Queryable, change: DirectoryChange, lastNumber: number): Promise<void> {
    try {
      if (this.database.engine === 'postgres') await this.catchUp();
      else await this.serially(() => this.applyOwn(db, change, lastNumber));
    } catch (error) {
      // The change is stored nevertheless. The next decision that depends on the directories reloads them.
      this.position = null;
      this.logger.error(error);
    }
  }

  private async isCurrent(db: SqlRunner): Promise<boolean> {
    return (await versionIn(db)) === this.position?.version;
  }

  /** SQLite's only writer waits for this, so nothing newer can be read. */
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
   * Brings the directories up to date. The read data may be newer than its version, so it is exact only if the database
   * still has that version afterwards; otherwise this repeats.
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

  /** Reloads the entries that the log lists as touched since. */
  private async follow(db: Queryable, { version, number }: Position): Promise<void> {
    const rows = await db.query<{ number: number; payload: string }>(
      `SELECT number, payload FROM event_log WHERE type = '${DIRECTORY_ROW}' AND number > ? ORDER BY number`,
      [number],
    );
    const changes = rows.map((row) => JSON.parse(row.payload) as DirectoryRow);
    const last = rows.at(-1);
    const versions = [version, ...changes.map((change) => change.version)];
    const isComplete = changes.every((change, at) => change.previous === versions[at]);
    // Rows expire; a node that was asleep for longer cannot know what it missed.
    if (last === undefined || !isComplete) return this.load(db);
    await this.refresh(db, merge(changes));
    this.position = { version: versions.at(-1) as number, number: last.number };
  }

  private async load(db: Queryable): Promise<void> {
    this.isExact = false;
    this.position = null;
    const [position] = await db.query<Position>(
      `SELECT version, (SELECT COALESCE(MAX(number), 0) FROM event_log WHERE type = '${DIRECTORY_ROW}') AS number
       FROM directory_version WHERE id = 1`,
    );
    for (const directory of this.all.values()) await directory.load(db);
    this.position = position ?? null;
  }

  private async refresh(db: Queryable, touched: Touched): Promise<void> {
    this.isExact = false;
    for (const [name, directory] of this.all) {
      const ids = touched.get(name);
      if (ids) await directory.refresh(db, [...ids]);
    }
  }

  /** Serializes work, so that an older state never replaces a newer one. */
  private serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastWork.then(work);
    this.lastWork = turn.catch(() => undefined);
    return turn;
  }
}

async function versionIn(db: SqlRunner): Promise<number | undefined> {
  const [row] = await db.query<{ version: number }>('SELECT version FROM directory_version WHERE id = 1');
  return row?.version;
}

function merge(changes: readonly DirectoryRow[]): Touched {
  const touched = new Map<DirectoryName, Set<number>>();
  for (const change of changes) {
    for (const [name, ids] of Object.entries(change.touched)) {
      const known = touched.get(name) ?? new Set();
      for (const id of ids) known.add(id);
      touched.set(name, known);
    }
  }
  return touched;
}
