import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';

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
  @Parameter(text({ unchecked: true }))
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
