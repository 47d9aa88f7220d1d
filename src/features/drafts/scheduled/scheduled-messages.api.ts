import type { ScheduledMessage } from '../drafts.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A scheduled message as its sender sees it. */
export interface ScheduledMessageWire {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  /** The channel, or the people except for the sender. */
  readonly to: number | readonly number[];
  /** Of a channel message only. */
  readonly topic?: string;
  /** Markdown. */
  readonly content: string;
  /** HTML. */
  readonly rendered_content: string;
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

/** The record of a scheduled message. */
export function scheduledMessageWire(message: ScheduledMessage): ScheduledMessageWire {
  const { channelId, topic } = message;
  return {
    scheduled_message_id: message.id,
    ...(channelId === null
      ? { type: 'private', to: JSON.parse(message.recipientIds) as number[] }
      : { type: 'stream', to: channelId, topic }),
    content: message.content,
    rendered_content: message.renderedContent,
    scheduled_delivery_timestamp: message.deliverAt,
    failed: message.hasFailed,
  };
}

/** The end of the year 9999, in UNIX seconds. */
export const LATEST_DELIVERY = 253_402_300_799;

const MAX_RECIPIENTS = 1_000;

const TYPE = oneOf(['direct', 'private', 'stream', 'channel'], {
  refusal: 'Invalid type: Value error, Not in the list of possible values',
});
const TO = json.union({
  int: json.integer(),
  'list[int]': json.array(json.integer(), { maxItems: MAX_RECIPIENTS }),
});
const TIME = json.integer({ max: LATEST_DELIVERY });

type Type = 'direct' | 'private' | 'stream' | 'channel';

/** Parameters of `POST /scheduled_messages`. */
export class ScheduleMessageDto {
  /** Whether it goes to a channel or to people; `stream` and `private` mean the same. */
  @Parameter(TYPE)
  type!: Type;

  /** ID of the channel, or a list of IDs of people. */
  @Parameter(TO, { example: 11 })
  to!: number | number[];

  /** What the message says, in Markdown. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1 } })
  content!: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** When it is to be sent, in UNIX seconds. */
  @Parameter(TIME)
  scheduled_delivery_timestamp!: number;

  /** Whether the message counts as read for its sender; without it, the client program decides. */
  @Parameter(json.boolean(), { optional: true })
  read_by_sender?: boolean;
}

/** Parameters of `PATCH /scheduled_messages/{scheduled_message_id}`. */
export class EditScheduledMessageDto {
  /** ID of the scheduled message. */
  @PathParameter()
  scheduled_message_id!: number;

  /** Whether it goes to a channel or to people from now on. */
  @Parameter(TYPE, { optional: true })
  type?: Type;

  /** ID of the channel, or a list of IDs of people. */
  @Parameter(TO, { example: [8, 9], optional: true })
  to?: number | number[];

  /** What the message says from now on, in Markdown. */
  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** When it is to be sent, in UNIX seconds. */
  @Parameter(TIME, { optional: true })
  scheduled_delivery_timestamp?: number;
}

/** Parameters of `DELETE /scheduled_messages/{scheduled_message_id}`. */
export class DeleteScheduledMessageDto {
  /** ID of the scheduled message. */
  @PathParameter()
  scheduled_message_id!: number;
}

/** The receiver scheduled messages. */
export const scheduledMessagesAdded = defineEvent<{ scheduled_messages: readonly ScheduledMessageWire[] }>(
  'scheduled_messages',
  'add',
);

/** The receiver edited a scheduled message, or it could not be sent. */
export const scheduledMessageUpdated = defineEvent<{ scheduled_message: ScheduledMessageWire }>(
  'scheduled_messages',
  'update',
);

/** A scheduled message of the receiver was sent or deleted. */
export const scheduledMessageRemoved = defineEvent<{ scheduled_message_id: number }>(
  'scheduled_messages',
  'remove',
);

/** Something is to happen at a time that has passed. */
export class DeliveryTimeNotInFuture extends refusal('Scheduled delivery time must be in the future.') {}

/** No scheduled message of the caller has this ID. */
export class ScheduledMessageNotFound extends refusal('Scheduled message does not exist', { status: 404 }) {}

/** The scheduled message was sent, and cannot change any more. */
export class ScheduledMessageSent extends refusal('Scheduled message was already sent') {}

/** An edit of a scheduled message names nothing to change. */
export class NothingToReschedule extends refusal('Nothing to change') {}

/** An edit makes it another kind of message, and does not say where to. */
export class RecipientRequired extends refusal(
  'Recipient required when updating type of scheduled message.',
) {}

/** An edit makes it a channel message, and does not name the topic. */
export class TopicRequired extends refusal(
  'Topic required when updating scheduled message type to channel.',
) {}

/** A channel message names its channel by something else than an ID. */
export class NoChannelId extends refusal('Invalid data type for channel ID') {}

/** A direct message names its recipients by something else than a list of IDs. */
export class NoRecipientIds extends refusal('Invalid data type for recipients') {}

/** The caller has too many scheduled messages. */
export class TooManyScheduledMessages extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} scheduled messages.`);
  }
}

/** The caller's scheduled messages contain too much text. */
export class ScheduledMessagesTooLarge extends refusal(
  'Scheduled messages too large. Send or delete some first.',
) {}
