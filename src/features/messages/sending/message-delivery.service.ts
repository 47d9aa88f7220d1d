import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { flagNames } from '../store/message-flags';
import { Hooks } from '../../../platform/hooks/hooks';
import { messageSent, type SentMessage } from '../store/messages.hooks';
import type { NewMessageRecord } from '../store/message-records.service';
import { MessageStoreService } from './message-store.service';
import { messageArrived } from '../store/messages.events';
import { ReadStateService } from '../readers/read-state.service';
import { planDeliveries } from './deliveries';
import { flagsAtSending, type Concerned } from './flags-at-sending';

/** A record of a message, and who gets it in this form. */
export interface AddressedRecord extends NewMessageRecord {
  readonly audience: Audience;
}

/** A message that has its row, ready to be handed to its recipients. */
export interface StoredDelivery extends Omit<SentMessage, 'isDirect'> {
  /** Together for everybody in the audience; the first one for those outside as well. */
  readonly records: readonly [AddressedRecord, ...AddressedRecord[]];
  readonly concerned: Concerned;
  /** Whether it went to a public channel. */
  readonly isPublic: boolean;
}

/** Hands a new message to its recipients: personal flags, what is read from the start, and events. */
@Injectable()
export class MessageDeliveryService {
  constructor(
    private readonly store: MessageStoreService,
    private readonly readState: ReadStateService,
    private readonly hooks: Hooks,
  ) {}

  /** Writes rows only for those of whom the message says more than that they got it. */
  async deliver(
    tx: Transaction,
    { records, audience, concerned, isPublic, ...sent }: StoredDelivery,
  ): Promise<void> {
    const { echo } = sent;
    const among = (userIds: ReadonlySet<number>) => [...userIds].filter((id) => audience.has(id));
    const rows = { mentioned: among(concerned.mentioned), alerted: among(concerned.alerted) };
    await this.store.insertFlags(tx, sent.messageId, rows);
    await this.readState.markReadForAll(tx, among(concerned.readBy), [sent.messageId]);

    const { flags, exceptions } = flagsAtSending({ ...concerned, alerted: new Set(rows.alerted) });
    const deliveries = records.flatMap(({ audience: people, ...form }) =>
      planDeliveries(people, flags, exceptions).map((delivery) => ({ ...delivery, ...form })),
    );
    for (const [at, { record, alternatives, ...delivery }] of deliveries.entries()) {
      const event = messageArrived({ message: record, flags: flagNames(delivery.flags) });
      tx.emit(event, delivery.audience, {
        alternatives,
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
        // To those outside, one of the events is enough.
        ...(isPublic && at === 0 ? { open: { except: audience.without(delivery.audience.ids()) } } : {}),
        ...(echo ? { queue: { id: echo.queueId, extra: { local_message_id: echo.localId } } } : {}),
      });
    }
    const isDirect = records[0].record.type === 'private';
    await this.hooks.run(messageSent, tx, { ...sent, audience, isDirect });
  }
}
