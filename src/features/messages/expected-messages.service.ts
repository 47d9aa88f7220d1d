import { Injectable } from '@nestjs/common';
import { EventLogReader } from '../../platform/events/event-log-reader';

/** Messages that somebody waits for, as their transactions are still open. */
export interface ExpectedMessages {
  expect(messageId: number): void;
  /** Those that did not come so far were never sent after all. */
  forget(): void;
  /** Ends the watch. */
  end(): void;
}

/** Tells of messages as soon as they are in the log, for what happens after the transaction that sends them. */
@Injectable()
export class ExpectedMessagesService {
  constructor(private readonly log: EventLogReader) {}

  /** @param arrived called once some of the messages are in the log */
  watch(arrived: () => void): ExpectedMessages {
    const expected = new Set<number>();
    const end = this.log.onRows((rows) => {
      if (expected.size === 0) return;
      const isExpected = ({ type, message }: { type: string; message?: unknown }) =>
        type === 'message' && expected.delete((message as { id: number }).id);
      if (rows.filter(({ event }) => isExpected(event)).length > 0) arrived();
    });
    return { expect: (messageId) => expected.add(messageId), forget: () => expected.clear(), end };
  }
}
