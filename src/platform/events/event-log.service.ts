import { Injectable } from '@nestjs/common';
import { CommittedReads, type SqlRunner } from '../sql/queryable';
import { Audience } from './audience';
import { AudienceStore } from './audience-store';
import { type EmitOptions, decodeOptions } from './emission';
import type { ServerEvent } from './server-event';

/** A row of the event log. */
export class LoggedEvent {
  private parsed: ServerEvent | undefined;

  constructor(
    /** Rises strictly, with gaps; in the order in which transactions became visible. */
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

  /** The event as it was emitted. */
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

/** How far readers may go: on PostgreSQL a lower number may still appear behind the newest ones. */
const NEWEST = {
  sqlite: 'SELECT COALESCE(MAX(number), 0) AS number FROM event_log',
  postgres: 'SELECT number FROM event_log_head',
};

/** Reads the event log. Rows get into it through `Transaction.emit` only. */
@Injectable()
export class EventLog {
  constructor(
    private readonly database: CommittedReads,
    private readonly audiences: AudienceStore,
  ) {}

  /** The newest number that can be read, or 0 before the first event. */
  async lastNumber(): Promise<number> {
    const { engine, read } = this.database;
    const [row] = await read.query<{ number: number }>(NEWEST[engine]);
    return row?.number ?? 0;
  }

  /**
   * The next rows after a number, ascending. Nothing ever appears behind the last one given.
   * @param db another way to read committed rows, where there are many to go through
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
