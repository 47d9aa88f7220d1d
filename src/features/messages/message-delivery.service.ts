import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { flagNames } from './message-flags';
import { MessageObserverRegistry, type SentMessage } from './message-observer.registry';
import type { NewMessageRecord } from './message-records.service';
import { MessageStoreService } from './message-store.service';
import { messageArrived } from './messages.events';
import { ReadStateService } from './read-state.service';
import { planDeliveries } from './sending/deliveries';
import { flagsAtSending, type Concerned } from './sending/flags-at-sending';

/** A message that has its row, ready to be handed to its recipients. */
export interface StoredDelivery extends Omit<SentMessage, 'isDirect'> {
  readonly record: NewMessageRecord;
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
    private readonly observers: MessageObserverRegistry,
  ) {}

  /** Writes rows only for those of whom the message says more than that they got it. */
  async deliver(
    tx: Transaction,
    { record, audience, concerned, isPublic, ...sent }: StoredDelivery,
  ): Promise<void> {
    const { echo } = sent;
    const among = (userIds: ReadonlySet<number>) => [...userIds].filter((id) => audience.has(id));
    const rows = { mentioned: among(concerned.mentioned), alerted: among(concerned.alerted) };
    await this.store.insertFlags(tx, sent.messageId, rows);
    await this.readState.markReadForAll(tx, among(concerned.readBy), [sent.messageId]);

    const { flags, exceptions } = flagsAtSending({ ...concerned, alerted: new Set(rows.alerted) });
    for (const [at, delivery] of planDeliveries(audience, flags, exceptions).entries()) {
      const event = messageArrived({ message: record.record, flags: flagNames(delivery.flags) });
      tx.emit(event, delivery.audience, {
        alternatives: record.alternatives,
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
        // To those outside, one of the events is enough.
        ...(isPublic && at === 0 ? { open: { except: audience.without(delivery.audience.ids()) } } : {}),
        ...(echo ? { queue: { id: echo.queueId, extra: { local_message_id: echo.localId } } } : {}),
      });
    }
    const isDirect = record.record.type === 'private';
    await this.observers.messageSent(tx, { ...sent, audience, isDirect });
  }
}
