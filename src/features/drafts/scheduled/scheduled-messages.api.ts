import type { ScheduledMessage } from '../drafts.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A scheduled message as sent to its sender. */
export interface ScheduledMessageWire {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  /** The channel, or the recipients except the sender. */
  readonly to: number | readonly number[];
  /** Set for channel messages. */
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
  /** Whether it goes to a channel or to people; `stream` and `private` are synonyms. */
  @Parameter(TYPE)
  type!: Type;

  /** ID of the channel, or a list of IDs of people. */
  @Parameter(TO, { example: 11 })
  to!: number | number[];

  /** Content of the message, in Markdown. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1 } })
  content!: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** When to send it, in UNIX seconds. */
  @Parameter(TIME)
  scheduled_delivery_timestamp!: number;

  /** Whether the message is marked as read for its sender; by default, this depends on the client. */
  @Parameter(json.boolean(), { optional: true })
  read_by_sender?: boolean;
}

/** Parameters of `PATCH /scheduled_messages/{scheduled_message_id}`. */
export class EditScheduledMessageDto {
  /** ID of the scheduled message. */
  @PathParameter()
  scheduled_message_id!: number;

  /** Whether it now goes to a channel or to people. */
  @Parameter(TYPE, { optional: true })
  type?: Type;

  /** ID of the channel, or a list of IDs of people. */
  @Parameter(TO, { example: [8, 9], optional: true })
  to?: number | number[];

  /** New content of the message, in Markdown. */
  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** When to send it, in UNIX seconds. */
  @Parameter(TIME, { optional: true })
  scheduled_delivery_timestamp?: number;
}

/** Parameters of `DELETE /scheduled_messages/{scheduled_message_id}`. */
export class DeleteScheduledMessageDto {
  /** ID of the scheduled message. */
  @PathParameter()
  scheduled_message_id!: number;
}

/** The recipient scheduled messages. */
export const scheduledMessagesAdded = defineEvent<{ scheduled_messages: readonly ScheduledMessageWire[] }>(
  'scheduled_messages',
  'add',
);

/** The recipient edited a scheduled message, or it could not be sent. */
export const scheduledMessageUpdated = defineEvent<{ scheduled_message: ScheduledMessageWire }>(
  'scheduled_messages',
  'update',
);

/** A scheduled message of the recipient was sent or deleted. */
export const scheduledMessageRemoved = defineEvent<{ scheduled_message_id: number }>(
  'scheduled_messages',
  'remove',
);

/** The time of delivery has passed. */
export class DeliveryTimeNotInFuture extends refusal('Scheduled delivery time must be in the future.') {}

/** No scheduled message of the caller has this ID. */
export class ScheduledMessageNotFound extends refusal('Scheduled message does not exist', { status: 404 }) {}

/** The scheduled message was sent and can no longer change. */
export class ScheduledMessageSent extends refusal('Scheduled message was already sent') {}

/** The edit of a scheduled message contains no changes. */
export class NothingToReschedule extends refusal('Nothing to change') {}

/** The edit changes the type of the message without naming a recipient. */
export class RecipientRequired extends refusal(
  'Recipient required when updating type of scheduled message.',
) {}

/** The edit makes it a channel message without naming the topic. */
export class TopicRequired extends refusal(
  'Topic required when updating scheduled message type to channel.',
) {}

/** The channel of a channel message is not an ID. */
export class NoChannelId extends refusal('Invalid data type for channel ID') {}

/** The recipients of a direct message are not a list of IDs. */
export class NoRecipientIds extends refusal('Invalid data type for recipients') {}

/** The limit on scheduled messages is reached. */
export class TooManyScheduledMessages extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} scheduled messages.`);
  }
}

/** The caller's scheduled messages contain too much text. */
export class ScheduledMessagesTooLarge extends refusal(
  'Scheduled messages too large. Send or delete some first.',
) {}
