import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import type { Transaction } from '../../platform/database/transaction.service';
import {
  pageAnswer,
  pageWindow,
  type PageAnswer,
  type PageQuery,
} from '../../platform/http/companion/paging';
import type { AnswerWire, MockLogEntryWire } from './messaging.wire';

interface Row {
  readonly id: number;
  readonly payload: string;
  readonly created_at: number;
}

/** Answers for which no address was configured, for trying out the bridge. */
@Injectable()
export class MockLogService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async add(tx: Transaction, payload: AnswerWire): Promise<void> {
    await tx.query('INSERT INTO messaging_mock_entry (payload, created_at) VALUES (?, ?)', [
      JSON.stringify(payload),
      this.clock.nowMs(),
    ]);
  }

  /** Oldest first. @throws UnprocessableEntity */
  async list(query: PageQuery): Promise<PageAnswer<MockLogEntryWire>> {
    const window = pageWindow(query);
    const db = this.database.read;
    const rows = await db.query<Row>(
      'SELECT id, payload, created_at FROM messaging_mock_entry WHERE id > ? ORDER BY id LIMIT ? OFFSET ?',
      [window.afterId, window.size + 1, window.offset],
    );
    const [count] = await db.query<{ total: number }>('SELECT COUNT(*) AS total FROM messaging_mock_entry');
    return pageAnswer(rows, Number(count?.total), window, ({ id, payload, created_at }) => ({
      id,
      logged_at: Math.floor(created_at / 1000),
      payload: JSON.parse(payload) as AnswerWire,
    }));
  }
}
