import type { ReceivedMessage } from './receive-messages.service';
import type { OutsideMessage } from './outside-message';

/** An answer to somebody outside, as it is posted. */
export interface AnswerWire {
  /** The same each time the answer is posted, should that happen twice. */
  readonly id: string;
  /** The address that the messages of the conversation came from. */
  readonly to: string;
  /** The form in which they came. */
  readonly source: string;
  /** The operator's own number that was written to, where the form tells. */
  readonly via: string | null;
  /** Markdown, as it was written. */
  readonly text: string;
  /** Who wrote it. */
  readonly sender_full_name: string;
  readonly message_id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** An answer that there was no address to post to. */
export interface MockLogEntryWire {
  readonly id: number;
  /** UNIX seconds. */
  readonly logged_at: number;
  readonly payload: AnswerWire;
}

/** What a delivery is answered. */
export interface DeliveryWire {
  readonly messages: readonly {
    /** As it was delivered. */
    readonly id: string;
    readonly message_id: number;
    /** Whether an earlier delivery had posted it. */
    readonly is_duplicate: boolean;
  }[];
}

/** @param received what became of the messages, in their order */
export function deliveryWire(
  messages: readonly OutsideMessage[],
  received: readonly ReceivedMessage[],
): DeliveryWire {
  return {
    messages: received.map(({ messageId, isNew }, at) => ({
      id: (messages[at] as OutsideMessage).externalId,
      message_id: messageId,
      is_duplicate: !isNew,
    })),
  };
}
