import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { chunksOf } from '../collections';
import type { Engine, SqlRunner, SqlValue } from '../sql/queryable';
import type { Audience } from './audience';
import { AudienceStore, type StoredAudiences } from './audience-store';
import { type Emission, encodeOptions } from './emission';
import { JOIN_LOG } from './event-log-order';

/** Audiences up to this length, in bytes, stand in the row of the event. */
const MAX_INLINE_BYTES = 64;

const ROWS_PER_STATEMENT = 500;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The event rows of one transaction: the last thing that it writes. */
export class LogRows {
  /** Highest number given, once the rows are written; 0 when there are none. */
  lastNumber = 0;

  constructor(
    /** To be run in this order, as the last ones of the transaction. */
    readonly statements: readonly Statement[],
    readonly audiences: StoredAudiences,
  ) {}

  /** Takes what a statement gave back. */
  written(rows: readonly object[]): void {
    for (const row of rows as readonly { number?: number }[]) {
      this.lastNumber = Math.max(this.lastNumber, row.number ?? 0);
    }
  }
}

/** Turns what a transaction emitted into rows of the event log. */
@Injectable()
export class EventLogWriter {
  constructor(
    private readonly audiences: AudienceStore,
    private readonly clock: Clock,
  ) {}

  /** Stores large audiences, and makes the rows that refer to them. */
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
      isLarge(audience) ? (stored.get(audience.hash())?.id ?? null) : null,
    ]);
    return new LogRows(statements(db.engine, rows), stored);
  }

  /** To be called after the commit. */
  committed(rows: LogRows): void {
    this.audiences.remember(rows.audiences);
  }
}

function isLarge(audience: Audience): boolean {
  return audience.encoding().length > MAX_INLINE_BYTES;
}

function statements(engine: Engine, rows: readonly SqlValue[][]): Statement[] {
  const made: Statement[] = [];
  if (engine === 'postgres' && rows.length > 0) {
    made.push({ sql: JOIN_LOG, parameters: [] });
  }
  for (const chunk of chunksOf(rows, ROWS_PER_STATEMENT)) {
    const places = chunk.map(() => '(?, ?, ?, ?, ?, ?)').join(', ');
    made.push({
      sql: `INSERT INTO event_log (created_at, type, payload, options, audience, audience_id)
            VALUES ${places} RETURNING number`,
      parameters: chunk.flat(),
    });
  }
  return made;
}
