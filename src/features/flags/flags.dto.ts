import { idList } from '../../platform/http/parameters/id-list';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Most messages in one request. */
const MAX_MESSAGES = 120_000;

/** Parameters of `POST /messages/flags`. */
export class UpdateFlagsDto {
  /** IDs of the messages. */
  @Parameter(idList({ maxItems: MAX_MESSAGES }), { example: [101, 102] })
  messages!: number[];

  /** `add` or `remove`. */
  @Parameter(text())
  op!: string;

  /** `read`, `starred` or `collapsed`. */
  @Parameter(text())
  flag!: string;
}

/** Parameters of `POST /messages/flags/narrow`. */
export class UpdateFlagsInNarrowDto {
  /** ID of a message to begin at, or `newest`, `oldest` or `first_unread`. */
  @Parameter(text())
  anchor!: string;

  /** Whether the message at the anchor is meant as well. */
  @Parameter(json.boolean(), { default: true })
  include_anchor!: boolean;

  /** How many messages before the anchor are meant. */
  @Parameter(json.integer({ min: 0 }))
  num_before!: number;

  /** How many messages after the anchor are meant. */
  @Parameter(json.integer({ min: 0 }))
  num_after!: number;

  /** Which messages are meant, as terms that all have to hold; null for all. */
  @Parameter(json.nullable(json.array(json.any(), { maxItems: 100, maxCharacters: 262_144 })), {
    example: [{ operator: 'channel', operand: 'general' }],
  })
  narrow!: unknown[] | null;

  /** `add` or `remove`. */
  @Parameter(text())
  op!: string;

  /** `read`, `starred` or `collapsed`. */
  @Parameter(text())
  flag!: string;
}

/** Parameters of `POST /mark_stream_as_read`. */
export class MarkChannelAsReadDto {
  /** ID of the channel. */
  @Parameter(json.integer())
  stream_id!: number;
}

/** Parameters of `POST /mark_topic_as_read`. */
export class MarkTopicAsReadDto extends MarkChannelAsReadDto {
  /** Name of the topic. */
  @Parameter(text())
  topic_name!: string;
}

/** Parameters of `GET /messages/{message_id}/read_receipts`. */
export class ReadReceiptsDto {
  /** ID of the message. */
  @PathParameter()
  message_id!: number;
}
