import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { chunksOf } from '../collections';
import { CommittedReads, type Engine, type SqlRunner, type SqlValue, type Statement } from '../sql/queryable';
import { Audience, AudienceStore, type StoredAudiences } from './audience';
import {
  type Emission,
  type EmitOptions,
  type ServerEvent,
  decodeOptions,
  encodeOptions,
} from './server-event';

/** A row of the event log. */
export class LoggedEvent {
  private parsed: ServerEvent | undefined;

  constructor(
    /** Strictly increasing, with gaps; in the order in which transactions became visible. */
    readonly number: number,
    /** UNIX milliseconds. */
    readonly createdAt: number,
    /** Type of the event, or one of `NodeRow`. */
    readonly type: string,
    /** The event as JSON, ready to be spliced into an answer. */
    readonly payload: string,
    readonly audience: Audience,
    readonly options: EmitOptions,
  ) {}

  /** The event as emitted. */
  get event(): ServerEvent {
    this.parsed ??= JSON.parse(this.payload) as ServerEvent;
    return this.parsed;
  }
}

interface EventRow {
  number: number;
  created_at: number;
  type: string;
  payload: string;
  options: string | null;
  audience: Buffer | null;
  audience_id: number | null;
}

/** The highest readable number: on PostgreSQL, a lower one may still appear behind the newest ones. */
const NEWEST = {
  sqlite: 'SELECT COALESCE(MAX(number), 0) AS number FROM event_log',
  postgres: 'SELECT number FROM event_log_head',
};

/** Reads the event log. Only `Transaction.emit` adds rows to it. */
@Injectable()
export class EventLog {
  constructor(
    private readonly database: CommittedReads,
    private readonly audiences: AudienceStore,
  ) {}

  /** The newest readable number, or 0 before the first event. */
  async lastNumber(): Promise<number> {
    const { engine, read } = this.database;
    const [row] = await read.query<{ number: number }>(NEWEST[engine]);
    return row?.number ?? 0;
  }

  /**
   * The next rows after a row read before, which still exists unless the log went back. It goes back when PostgreSQL
   * loses commits; on SQLite, the file is watched instead.
   * @param newest the last row read, if any
   * @param number its number, or where to start
   */
  async readOnAfter(
    newest: LoggedEvent | undefined,
    number: number,
    limit: number,
  ): Promise<LoggedEvent[] | 'set back'> {
    if (!newest || this.database.engine === 'sqlite') return this.readAfter(number, limit);
    const rows = await this.readAfter(number - 1, limit + 1);
    const [seen] = rows;
    if (seen?.number === newest.number && isSame(seen, newest)) return rows.slice(1);
    if (await this.wasExpiredOrIs(newest)) return rows;
    this.audiences.forget();
    return 'set back';
  }

  /**
   * Whether a row still exists, even if it is not readable (a crash may lose the last settled number), or is so old
   * that it was deleted.
   */
  private async wasExpiredOrIs(row: LoggedEvent): Promise<boolean> {
    const [found, oldest] = await Promise.all([
      this.database.read.query<EventRow>('SELECT * FROM event_log WHERE number = ?', [row.number]),
      this.database.read.query<{ number: number | null }>('SELECT MIN(number) AS number FROM event_log'),
    ]);
    if (found[0]) return isSame({ createdAt: found[0].created_at, payload: found[0].payload }, row);
    return (oldest[0]?.number ?? 0) > row.number;
  }

  /**
   * The next rows after a number, ascending. No row ever appears behind the last one returned.
   * @param db an alternative way to read committed rows, for many rows
   */
  async readAfter(number: number, limit: number, db: SqlRunner = this.database.read): Promise<LoggedEvent[]> {
    const rows = await db.query<EventRow>(
      `SELECT number, created_at, type, payload, options, audience, audience_id
       FROM event_log WHERE number > ? AND number <= (${NEWEST[db.engine]}) ORDER BY number LIMIT ?`,
      [number, limit],
    );
    const ids = rows.flatMap((row) => row.audience_id ?? []);
    const stored = await this.audiences.load(db, ids);
    return rows.map((row) => {
      const large = row.audience_id === null ? undefined : stored.get(row.audience_id);
      const audience = large ?? Audience.decode(row.audience ?? Buffer.alloc(0));
      const options = decodeOptions(row.options);
      return new LoggedEvent(row.number, row.created_at, row.type, row.payload, audience, options);
    });
  }
}

/**
 * Whether two rows with the same number are the same event, rather than events from before and after the log went back.
 */
function isSame(
  one: Pick<LoggedEvent, 'createdAt' | 'payload'>,
  other: Pick<LoggedEvent, 'createdAt' | 'payload'>,
): boolean {
  return one.createdAt === other.createdAt && one.payload === other.payload;
}

/**
 * How events get numbers that no reader skips, on PostgreSQL (docs/decisions/0003-event-numbers.md). A number is
 * assigned before its transaction commits, so a lower one may become visible after a higher one. Every writer therefore
 * holds a shared lock from before its first number until its commit; writers do not wait for each other. Under the
 * exclusive lock no number is uncommitted: everything visible is settled, and readers stop at the last settled number.
 * SQLite has one writer and needs none of this.
 */
const LOG_LOCK = 7_275_272;

/** Runs before the first number of a transaction, as late as possible. */
const JOIN_LOG = `SELECT pg_advisory_xact_lock_shared(${LOG_LOCK})`;

/**
 * Settles committed events and keeps the lock until the caller's COMMIT: until then, everything up to the newest number
 * is visible. Send all statements together.
 */
export const SETTLE_LOG_AND_LOCK = [
  'BEGIN',
  // If a crash loses the last settled number, the next round recalculates it.
  'SET LOCAL synchronous_commit = off',
  `SELECT pg_advisory_xact_lock(${LOG_LOCK})`,
  `UPDATE event_log_head SET number = newest.number
   FROM (SELECT MAX(number) AS number FROM event_log) AS newest
   WHERE newest.number > event_log_head.number`,
];

/** Settles committed events: statements for one message. */
export const SETTLE_LOG = [...SETTLE_LOG_AND_LOCK, 'COMMIT'].join(';\n');

/** Returns a row if something committed is not settled yet. */
export const IS_UNSETTLED =
  'SELECT 1 FROM event_log WHERE number > (SELECT number FROM event_log_head) LIMIT 1';

/** Audiences up to this length, in bytes, are stored in the row of the event. */
const MAX_INLINE_BYTES = 64;

const ROWS_PER_STATEMENT = 500;

/** The event rows of one transaction, which it writes last. */
export class LogRows {
  /** Highest assigned number, once the rows are written; 0 if there are none. */
  lastNumber = 0;

  constructor(
    /** Run them in this order, as the last ones of the transaction. */
    readonly statements: readonly Statement[],
    readonly audiences: StoredAudiences,
  ) {}

  /** Processes the result of a statement. */
  written(rows: readonly object[]): void {
    for (const row of rows as readonly { number?: number }[]) {
      this.lastNumber = Math.max(this.lastNumber, row.number ?? 0);
    }
  }
}

/** Turns the emitted events of a transaction into rows of the event log. */
@Injectable()
export class EventLogWriter {
  constructor(
    private readonly audiences: AudienceStore,
    private readonly clock: Clock,
  ) {}

  /** Stores large audiences, and creates the rows that reference them. */
  async prepare(db: SqlRunner, emissions: readonly Emission[]): Promise<LogRows> {
    const large = emissions.map(({ audience }) => audience).filter(isLarge);
    const stored = await this.audiences.store(db, large);
    const createdAt = this.clock.nowMs();
    const rows = emissions.map(({ event, audience, options }): SqlValue[] => [
      createdAt,
      event.type,
      JSON.stringify(event),
      encodeOptions(options),
      isLarge(audience) ? null : audience.encoding(),
      isLarge(audience) ? this.reference(db.engine, audience, stored) : null,
    ]);
    return new LogRows(statements(db.engine, rows), stored);
  }

  /**
   * The reference to a large audience. PostgreSQL looks up the ID: if it lost commits, an ID known to this node may now
   * be another audience.
   */
  private reference(engine: Engine, audience: Audience, stored: StoredAudiences): SqlValue {
    const hash = audience.hash();
    return engine === 'postgres' ? hash : (stored.get(hash)?.id ?? null);
  }

  /** Call it after the commit. */
  committed(rows: LogRows): void {
    this.audiences.remember(rows.audiences);
  }
}

function isLarge(audience: Audience): boolean {
  return audience.encoding().length > MAX_INLINE_BYTES;
}

const INSERT_ROWS = 'INSERT INTO event_log (created_at, type, payload, options, audience, audience_id)';
const ROW = '(?, ?, ?, ?, ?, ?)';
/** The types of the first row apply to all others. */
const TYPED_ROW =
  '(?::bigint, ?::text, ?::text, ?::text, ?::bytea, (SELECT id FROM audience WHERE hash = ?::text))';
const FURTHER_ROW = '(?, ?, ?, ?, ?, (SELECT id FROM audience WHERE hash = ?))';

function statements(engine: Engine, rows: readonly SqlValue[][]): Statement[] {
  return [...chunksOf(rows, ROWS_PER_STATEMENT)].map((chunk) => {
    const others = chunk.slice(1).map(() => `, ${engine === 'sqlite' ? ROW : FURTHER_ROW}`);
    return {
      sql:
        engine === 'sqlite'
          ? `${INSERT_ROWS} VALUES ${ROW}${others.join('')} RETURNING number`
          : // Rows get their numbers after the join, which is after the lock.
            `WITH joined AS MATERIALIZED (${JOIN_LOG}) ${INSERT_ROWS}
             SELECT emitted.* FROM joined CROSS JOIN (VALUES ${TYPED_ROW}${others.join('')}) AS emitted
             RETURNING number`,
      parameters: chunk.flat(),
    };
  });
}
