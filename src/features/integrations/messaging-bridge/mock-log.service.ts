import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import { MoreThan } from 'typeorm';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  pageAnswer,
  pageWindow,
  type PageAnswer,
  type PageQuery,
} from '../../../platform/http/companion/paging';
import { MessagingMockEntry } from './messaging-conversation.entity';
import type { AnswerWire, MockLogEntryWire } from './messaging.api';

/** Answers for which no address was configured, for trying out the bridge. */
@Injectable()
export class MockLogService {
  constructor(
    @InjectRepository(MessagingMockEntry) private readonly entries: ReadRepository<MessagingMockEntry>,
    private readonly clock: Clock,
  ) {}

  async add(tx: Transaction, payload: AnswerWire): Promise<void> {
    await tx
      .repository(MessagingMockEntry)
      .insert({ payload: JSON.stringify(payload), createdAt: this.clock.nowMs() });
  }

  /** Oldest first. @throws UnprocessableEntity */
  async list(query: PageQuery): Promise<PageAnswer<MockLogEntryWire>> {
    const window = pageWindow(query);
    const rows = await this.entries.find({
      where: { id: MoreThan(window.afterId) },
      order: { id: 'ASC' },
      take: window.size + 1,
      skip: window.offset,
    });
    return pageAnswer(rows, await this.entries.count(), window, ({ id, payload, createdAt }) => ({
      id,
      logged_at: Math.floor(createdAt / 1000),
      payload: JSON.parse(payload) as AnswerWire,
    }));
  }
}
