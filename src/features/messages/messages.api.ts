import { idList } from '../../platform/http/parameters/further-types';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { MAX_CONTENT_LENGTH } from './sending/message-text.service';

/** Longest text that says where a message goes: a thousand recipients. */
const MAX_ADDRESS_LENGTH = 65_536;

/** Terms that all have to hold. */
const narrow = json.array(json.any(), { maxItems: 100, maxCharacters: 262_144 });

/** Parameters of `POST /messages`. */
export class SendMessageDto {
  /** Whether it goes to a channel or to people; `stream` and `private` mean the same. */
  @Parameter(oneOf(['direct', 'private', 'stream', 'channel']))
  type!: 'direct' | 'private' | 'stream' | 'channel';

  /** Name or ID of the channel; or IDs or addresses of people, as JSON or with commas between. */
  @Parameter(text({ maxLength: MAX_ADDRESS_LENGTH }), { optional: true })
  to?: string;

  /** Topic in the channel. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** What the message says, in Markdown. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1 } })
  content!: string;

  /** Whether the message counts as read for its sender; without it, the client program decides. */
  @Parameter(json.boolean(), { optional: true })
  read_by_sender?: boolean;

  /** JSON that makes the message a form to choose answers from (`zform`). */
  @Parameter(text({ maxLength: MAX_CONTENT_LENGTH }), { optional: true })
  widget_content?: string;

  /** Queue of the client, in which the event of the message is to carry `local_id`. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  queue_id?: string;

  /** What the client calls the message. */
  @Parameter(text({ maxLength: 1000 }), { optional: true })
  local_id?: string;

  /** Address of the person in whose name a bridge writes, which this server refuses. */
  @Parameter(text(), { optional: true })
  sender?: string;

  /** `yes` for a bridge that writes in the name of others, which this server refuses. */
  @Parameter(text(), { optional: true })
  forged?: string;
}

/** Form in which messages are shown. */
class MessageFormDto {
  /** Whether content is HTML rather than Markdown. */
  @Parameter(json.boolean(), { default: true })
  apply_markdown!: boolean;

  /** Whether the client knows the empty topic; otherwise it gets a name in its place. */
  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

/** Parameters of `GET /messages`. */
export class FetchMessagesDto extends MessageFormDto {
  /** ID of a message to begin at, or `newest`, `oldest`, `first_unread` or `date`. */
  @Parameter(text(), {
    optional: true,
    checked: { pattern: '^(newest|oldest|first_unread|date|[+-]?[0-9]+)$' },
  })
  anchor?: string;

  /** Time (ISO 8601) to begin at, where the anchor is `date`. */
  @Parameter(text(), { optional: true })
  anchor_date?: string;

  /** Whether the message at the anchor is given as well. */
  @Parameter(json.boolean(), { optional: true })
  include_anchor?: boolean;

  /** How many messages before the anchor are wanted. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_before?: number;

  /** How many messages after the anchor are wanted. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_after?: number;

  /** Which messages are wanted, as terms that all have to hold. */
  @Parameter(narrow, {
    default: [],
    example: [
      { operator: 'channel', operand: 'general' },
      { operator: 'is', operand: 'unread' },
    ],
  })
  narrow!: unknown[];

  /** Older way to say that the anchor is `first_unread`. */
  @Parameter(json.boolean(), { optional: true })
  use_first_unread_anchor?: boolean;

  /** Whether the client works out addresses of Gravatar pictures by itself. */
  @Parameter(json.boolean(), { default: true })
  client_gravatar!: boolean;

  /** IDs of the messages that are wanted, in place of an anchor. */
  @Parameter(idList({ min: 0 }), { optional: true, example: [101, 102] })
  message_ids?: number[];
}

/** Parameters of `GET /messages/matches_narrow`. */
export class MatchNarrowDto {
  /** IDs of the messages. */
  @Parameter(idList(), { example: [101, 102] })
  msg_ids!: number[];

  /** Terms that all have to hold. */
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
