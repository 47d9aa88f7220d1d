import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { SentMessageWire } from './messages.wire';

/** The client queue from which a message was sent, and the name that the message has there. */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** What is known of messages that were sent under a name. */
export interface SentEchoes {
  /** The answer to the request that sent a message under this name before; null when there is none. */
  find(senderId: number, echo: LocalEcho): Promise<SentMessageWire | null>;

  /** Notes that sending under this name changed the sender's policy for the topic. */
  noteTopicPolicy(tx: Transaction, senderId: number, echo: LocalEcho, policy: number): Promise<void>;
}

/**
 * Thrown, inside the transaction, by whoever notes sent messages, when the client has sent this one at the
 * same moment in another request: nothing of this one is kept then.
 */
export class SentMeanwhile extends Error {
  constructor(readonly answer: SentMessageWire) {
    super('The same request to send was carried out meanwhile.');
  }
}

/** Where the feature that notes sent messages says how to find them. */
@Injectable()
export class SentEchoRegistry implements SentEchoes {
  private echoes: SentEchoes | null = null;

  use(echoes: SentEchoes): void {
    this.echoes = echoes;
  }

  async find(senderId: number, echo: LocalEcho): Promise<SentMessageWire | null> {
    return (await this.echoes?.find(senderId, echo)) ?? null;
  }

  async noteTopicPolicy(tx: Transaction, senderId: number, echo: LocalEcho, policy: number): Promise<void> {
    await this.echoes?.noteTopicPolicy(tx, senderId, echo, policy);
  }
}
