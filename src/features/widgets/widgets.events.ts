import { defineEvent } from '../../platform/events/server-event';

/** Somebody attached something to a message, such as a vote. */
export const submessageAdded = defineEvent<{
  readonly msg_type: string;
  readonly message_id: number;
  readonly submessage_id: number;
  readonly sender_id: number;
  /** JSON, as the client wrote it. */
  readonly content: string;
}>('submessage');
