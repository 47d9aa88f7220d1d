import { idList } from '../../platform/http/parameters/further-types';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { MAX_CONTENT_LENGTH } from './sending/message-text.service';

/** Maximum length of a message's destination: a thousand recipients. */
const MAX_ADDRESS_LENGTH = 65_536;

/** Terms that must all match. */
const narrow = json.array(json.any(), { maxItems: 100, maxCharacters: 262_144 });

/** Parameters of `POST /messages`. */
export class SendMessageDto {
  /** Whether it goes to a channel or to people; `stream` and `private` are synonyms. */
  @Parameter(oneOf(['direct', 'private', 'stream', 'channel']))
  type!: 'direct' | 'private' | 'stream' | 'channel';

  /** Name or ID of the channel; or IDs or email addresses of people, as JSON or separated by commas. */
  @Parameter(text({ maxLength: MAX_ADDRESS_LENGTH }), { optional: true })
  to?: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** Content of the message, in Markdown. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1 } })
  content!: string;

  /** Whether the message is marked as read for its sender; by default, this depends on the client. */
  @Parameter(json.boolean(), { optional: true })
  read_by_sender?: boolean;

  /** JSON that turns the message into a form with choices (`zform`). */
  @Parameter(text({ maxLength: MAX_CONTENT_LENGTH }), { optional: true })
  widget_content?: string;

  /** Queue of the client in which the event for the message includes `local_id`. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  queue_id?: string;

  /** The client's own ID for the message. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  local_id?: string;

  /** Address of the person on whose behalf a bridge writes; not supported by this server. */
  @Parameter(text(), { optional: true })
  sender?: string;

  /** `yes` for a bridge that writes on behalf of others; not supported by this server. */
  @Parameter(text(), { optional: true })
  forged?: string;
}

/** The format in which messages are returned. */
class MessageFormDto {
  /** Whether content is HTML rather than Markdown. */
  @Parameter(json.boolean(), { default: true })
  apply_markdown!: boolean;

  /** Whether the client supports the empty topic name; otherwise a placeholder replaces it. */
  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

/** Parameters of `GET /messages`. */
export class FetchMessagesDto extends MessageFormDto {
  /** ID of a message to start at, or `newest`, `oldest`, `first_unread` or `date`. */
  @Parameter(text(), {
    optional: true,
    checked: { pattern: '^(newest|oldest|first_unread|date|[+-]?[0-9]+)$' },
  })
  anchor?: string;

  /** Time (ISO 8601) to start at, if the anchor is `date`. */
  @Parameter(text(), { optional: true })
  anchor_date?: string;

  /** Whether to include the message at the anchor. */
  @Parameter(json.boolean(), { optional: true })
  include_anchor?: boolean;

  /** Number of messages before the anchor. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_before?: number;

  /** Number of messages after the anchor. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_after?: number;

  /** Which messages to fetch, as terms that must all match. */
  @Parameter(narrow, {
    default: [],
    example: [
      { operator: 'channel', operand: 'general' },
      { operator: 'is', operand: 'unread' },
    ],
  })
  narrow!: unknown[];

  /** Legacy equivalent of `anchor=first_unread`. */
  @Parameter(json.boolean(), { optional: true })
  use_first_unread_anchor?: boolean;

  /** Whether the client computes Gravatar URLs itself. */
  @Parameter(json.boolean(), { default: true })
  client_gravatar!: boolean;

  /** IDs of the messages to fetch, instead of an anchor. */
  @Parameter(idList({ min: 0 }), { optional: true, example: [101, 102] })
  message_ids?: number[];
}

/** Parameters of `GET /messages/matches_narrow`. */
export class MatchNarrowDto {
  /** IDs of the messages. */
  @Parameter(idList(), { example: [101, 102] })
  msg_ids!: number[];

  /** Terms that must all match. */
  @Parameter(narrow, {
    example: [{ operator: 'search', operand: 'lunch' }],
  })
  narrow!: unknown[];
}

/** Parameters of `GET /messages/{message_id}`. */
export class FetchMessageDto extends MessageFormDto {
  /** ID of the message. */
  @PathParameter()
  message_id!: number;
}

/** Parameters of `POST /messages/render`. */
export class RenderMessageDto {
  /** Markdown. */
  @Parameter(text({ maxLength: MAX_CONTENT_LENGTH }))
  content!: string;
}
