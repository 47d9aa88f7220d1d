import { refusal } from '../../../platform/errors/api-error';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { BadRequest } from '../../../platform/errors/shared.errors';

/** The conversation in which a person is typing. */
export type TypingTarget =
  { readonly userIds: readonly number[] } | { readonly channelId: number; readonly topic: string };

/** Maximum number of recipients of a direct message. */
const MAX_RECIPIENTS = 1_000;

const operation = oneOf<TypingOperation>(['start', 'stop']);

/** Parameters of `POST /typing`. */
export class TypingDto {
  /** Whether it is in a direct conversation or in a channel. */
  @Parameter(oneOf(['direct', 'stream', 'channel']), { default: 'direct' })
  type!: 'direct' | 'stream' | 'channel';
  /** Whether the caller started or stopped typing. */
  @Parameter(operation) op!: TypingOperation;
  /** IDs of the people in the conversation. */
  @Parameter(json.array(json.integer(), { maxItems: MAX_RECIPIENTS }), { optional: true, example: [8, 9] })
  to?: number[];
  /** ID of the channel. */
  @Parameter(json.integer(), { optional: true }) stream_id?: number;
  /** Name of the topic. */
  @Parameter(text(), { optional: true }) topic?: string;
}

/** Parameters of `POST /messages/{message_id}/typing`. */
export class EditTypingDto {
  /** ID of the message that is being edited. */
  @PathParameter() message_id!: number;
  /** Whether the caller started or stopped typing. */
  @Parameter(operation) op!: TypingOperation;
}

/** @throws MissingTypingTarget, NoRecipients, MissingTypingTopic */
export function toTypingTarget({ type, to, stream_id: channelId, topic }: TypingDto): TypingTarget {
  if (type === 'direct') {
    if (to === undefined) throw new MissingTypingTarget('to');
    if (to.length === 0) throw new NoRecipients();
    return { userIds: to };
  }
  if (channelId === undefined) throw new MissingTypingTarget('stream_id');
  if (topic === undefined) throw new MissingTypingTopic();
  return { channelId, topic };
}

/** Whether a person starts or continues to type, or stops. */
export type TypingOperation = 'start' | 'stop';

/** An account in these events. */
export interface TypingPerson {
  readonly user_id: number;
  readonly email: string;
}

/** A message being written, to people or to a topic. */
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

/** A message that is being edited, and its place. */
interface EditPayload {
  readonly sender_id: number;
  readonly message_id: number;
  readonly recipient:
    | { readonly type: 'direct'; readonly user_ids: readonly number[] }
    | { readonly type: 'channel'; readonly channel_id: number; readonly topic: string };
}

/** A person started typing in a conversation of the recipient. */
const typingStarted = defineEvent<TypingPayload>('typing', 'start');
/** A person stopped typing there. */
const typingStopped = defineEvent<TypingPayload>('typing', 'stop');
/** A person started editing a message that the recipient sees. */
const editStarted = defineEvent<EditPayload>('typing_edit_message', 'start');
/** A person stopped editing it. */
const editStopped = defineEvent<EditPayload>('typing_edit_message', 'stop');

/** A person is typing a direct message. @param recipients including the sender */
export function typingToPeople(
  operation: TypingOperation,
  sender: TypingPerson,
  recipients: readonly TypingPerson[],
): ServerEvent {
  return typingEvent(operation, { message_type: 'direct', sender, recipients });
}

/** A person is typing a message to a channel. */
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

/** A person is editing one of their messages. */
export function editTypingEvent(operation: TypingOperation, payload: EditPayload): ServerEvent {
  return operation === 'start' ? editStarted(payload) : editStopped(payload);
}

/**
 * A parameter that this kind of conversation requires is missing; the text is specific, as the endpoint supports
 * several kinds.
 */
class MissingTypingTarget extends BadRequest {
  constructor(parameter: 'to' | 'stream_id') {
    super(`Missing '${parameter}' argument`);
  }
}

/** The list of recipients is empty. */
class NoRecipients extends refusal("Empty 'to' list") {}

/** The topic is missing. */
class MissingTypingTopic extends refusal('Missing topic') {}

/** The person's settings disable their typing notifications. */
export class TypingNotificationsDisabled extends BadRequest {
  constructor(messages: 'direct messages' | 'channel messages') {
    super(`User has disabled typing notifications for ${messages}`);
  }
}
