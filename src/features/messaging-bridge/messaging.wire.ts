import type { ReceivedMessage } from './receive-messages.service';
import type { OutsideMessage } from './outside-message';

/** An answer to a person outside, as it is posted. */
export interface AnswerWire {
  /** Stays the same if the answer is posted twice. */
  readonly id: string;
  /** The address from which the messages of the conversation came. */
  readonly to: string;
  /** The format in which they came. */
  readonly source: string;
  /** The operator's number that was written to, if the format includes it. */
  readonly via: string | null;
  /** Markdown, as it was written. */
  readonly text: string;
  /** Name of the person who wrote it. */
  readonly sender_full_name: string;
  readonly message_id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** An answer for which no address was configured. */
export interface MockLogEntryWire {
  readonly id: number;
  /** UNIX seconds. */
  readonly logged_at: number;
  readonly payload: AnswerWire;
}

/** The answer to a delivery. */
export interface DeliveryWire {
  readonly messages: readonly {
    /** As the delivery named it. */
    readonly id: string;
    readonly message_id: number;
    /** Whether an earlier delivery posted it. */
    readonly is_duplicate: boolean;
  }[];
}

/** @param received the results for the messages, in their order */
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
