import { Injectable } from '@nestjs/common';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import type { DeliveryLoop } from '../../../platform/outbound/delivery-loop';

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

  /**
   * Lets a loop of deliveries look for what is due, from now on and as soon as messages that bring some about are sent.
   * @param onNoted is given what to call with the ID of such a message, in the transaction that sends it
   * @returns what ends that, and the loop with it
   */
  deliver<Delivery>(
    loop: DeliveryLoop<Delivery>,
    onNoted: (expect: (messageId: number) => void) => void,
  ): () => Promise<void> {
    const watch = this.watch(() => loop.look());
    onNoted((messageId) => watch.expect(messageId));
    loop.start(() => watch.forget());
    return async () => {
      watch.end();
      await loop.stop();
    };
  }

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
