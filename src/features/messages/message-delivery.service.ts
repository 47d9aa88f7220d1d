import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { flagNames } from './message-flags';
import { MessageObserverRegistry, type SentMessage } from './message-observer.registry';
import type { NewMessageRecord } from './message-records.service';
import { MessageStoreService } from './message-store.service';
import { messageArrived } from './messages.events';
import { ReadStateService } from './read-state.service';
import { planDeliveries } from './sending/deliveries';
import { flagsAtSending, type Concerned } from './sending/flags-at-sending';

/** The client queue from which a message was sent, and the name that the message has there. */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** A message that has its row, ready to be handed to its recipients. */
export interface StoredDelivery extends SentMessage {
  readonly record: NewMessageRecord;
  readonly audience: Audience;
  readonly concerned: Concerned;
  readonly echo?: LocalEcho;
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
    { record, audience, concerned, echo, ...sent }: StoredDelivery,
  ): Promise<void> {
    const among = (userIds: ReadonlySet<number>) => [...userIds].filter((id) => audience.has(id));
    await this.store.insertMentions(tx, sent.messageId, among(concerned.mentioned));
    await this.readState.markReadForAll(tx, among(concerned.readBy), sent.messageId);

    const { flags, exceptions } = flagsAtSending(concerned);
    for (const delivery of planDeliveries(audience, flags, exceptions)) {
      const event = messageArrived({ message: record.record, flags: flagNames(delivery.flags) });
      tx.emit(event, delivery.audience, {
        alternatives: record.alternatives,
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
        ...(echo ? { queue: { id: echo.queueId, extra: { local_message_id: echo.localId } } } : {}),
      });
    }
    await this.observers.messageSent(tx, sent);
  }
}
