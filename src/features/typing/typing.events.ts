import { defineEvent, type ServerEvent } from '../../platform/events/server-event';

/** Whether a person begins or continues to type, or stops. */
export type TypingOperation = 'start' | 'stop';

/** An account as these events name it. */
export interface TypingPerson {
  readonly user_id: number;
  readonly email: string;
}

/** A message being written: to people, or to a topic. */
type TypingPayload =
  | {
      readonly message_type: 'direct';
      readonly sender: TypingPerson;
      readonly recipients: readonly TypingPerson[];
    }
  | {
      readonly message_type: 'stream';
      readonly sender: TypingPerson;
      readonly stream_id: number;
      readonly topic: string;
    };

/** A message that is being edited, and where it is. */
interface EditPayload {
  readonly sender_id: number;
  readonly message_id: number;
  readonly recipient:
    | { readonly type: 'direct'; readonly user_ids: readonly number[] }
    | { readonly type: 'channel'; readonly channel_id: number; readonly topic: string };
}

/** A person began to type in a conversation of the receiver. */
const typingStarted = defineEvent<TypingPayload>('typing', 'start');
/** A person stopped typing there. */
const typingStopped = defineEvent<TypingPayload>('typing', 'stop');
/** A person began to edit a message that the receiver sees. */
const editStarted = defineEvent<EditPayload>('typing_edit_message', 'start');
/** A person stopped editing it. */
const editStopped = defineEvent<EditPayload>('typing_edit_message', 'stop');

/** A person types a direct message. @param recipients including the sender */
export function typingToPeople(
  operation: TypingOperation,
  sender: TypingPerson,
  recipients: readonly TypingPerson[],
): ServerEvent {
  return typingEvent(operation, { message_type: 'direct', sender, recipients });
}

/** A person types a message to a channel. */
export function typingToChannel(
  operation: TypingOperation,
  sender: TypingPerson,
  channelId: number,
  topic: string,
): ServerEvent {
  return typingEvent(operation, { message_type: 'stream', sender, stream_id: channelId, topic });
}

function typingEvent(operation: TypingOperation, payload: TypingPayload): ServerEvent {
  return operation === 'start' ? typingStarted(payload) : typingStopped(payload);
}

/** A person edits one of their messages. */
export function editTypingEvent(operation: TypingOperation, payload: EditPayload): ServerEvent {
  return operation === 'start' ? editStarted(payload) : editStopped(payload);
}
