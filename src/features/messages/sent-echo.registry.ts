import { Injectable } from '@nestjs/common';

/** The client queue from which a message was sent, and the name that the message has there. */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** Finds the message that a person sent under a name before; null when there is none. */
export type SentMessageFinder = (senderId: number, echo: LocalEcho) => Promise<number | null>;

/**
 * Thrown, inside the transaction, by whoever notes sent messages, when the client has sent this one at the
 * same moment in another request: nothing of this one is kept then.
 */
export class SentMeanwhile extends Error {
  constructor(readonly messageId: number) {
    super('The same request to send was carried out meanwhile.');
  }
}

/** Where the feature that notes sent messages says how to find them. */
@Injectable()
export class SentEchoRegistry {
  private finder: SentMessageFinder = () => Promise.resolve(null);

  use(finder: SentMessageFinder): void {
    this.finder = finder;
  }

  find(senderId: number, echo: LocalEcho): Promise<number | null> {
    return this.finder(senderId, echo);
  }
}
