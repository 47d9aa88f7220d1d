import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';

/** Parameters of `POST /messages` (messages reference 2.1). */
export class SendMessageDto {
  @Parameter(oneOf(['direct', 'private', 'stream', 'channel']))
  type!: 'direct' | 'private' | 'stream' | 'channel';

  @Parameter(text(), { optional: true })
  to?: string;

  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  @Parameter(text({ unchecked: true }))
  content!: string;

  @Parameter(json.boolean(), { optional: true })
  read_by_sender?: boolean;

  @Parameter(text({ maxLength: 1000 }), { optional: true })
  queue_id?: string;

  @Parameter(text({ maxLength: 1000 }), { optional: true })
  local_id?: string;

  @Parameter(text(), { optional: true })
  sender?: string;

  @Parameter(text(), { optional: true })
  forged?: string;
}

/** Form in which messages are shown. */
class MessageFormDto {
  @Parameter(json.boolean(), { default: true })
  apply_markdown!: boolean;

  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

/** Parameters of `GET /messages` (messages reference 4.1). */
export class FetchMessagesDto extends MessageFormDto {
  @Parameter(text(), { optional: true })
  anchor?: string;

  @Parameter(text(), { optional: true })
  anchor_date?: string;

  @Parameter(json.boolean(), { optional: true })
  include_anchor?: boolean;

  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_before?: number;

  @Parameter(json.integer({ min: 0 }), { optional: true })
  num_after?: number;

  @Parameter(json.array(json.any(), { maxItems: 100 }), { default: [] })
  narrow!: unknown[];

  @Parameter(json.boolean(), { optional: true })
  use_first_unread_anchor?: boolean;

  @Parameter(json.boolean(), { default: true })
  client_gravatar!: boolean;

  @Parameter(json.array(json.integer({ min: 0 })), { optional: true })
  message_ids?: number[];
}

/** Parameters of `GET /messages/matches_narrow` (messages reference 4.7). */
export class MatchNarrowDto {
  @Parameter(json.array(json.integer()))
  msg_ids!: number[];

  @Parameter(json.array(json.any(), { maxItems: 100 }))
  narrow!: unknown[];
}

/** Parameters of `GET /messages/{message_id}` (messages reference 4.5). */
export class FetchMessageDto extends MessageFormDto {
  @PathParameter()
  message_id!: number;
}

/** Parameters of `POST /messages/render` (messages reference 5.4). */
export class RenderMessageDto {
  @Parameter(text())
  content!: string;
}

/** Parameters of `GET /users/me/{stream_id}/topics` (spec, endpoint 8). */
export class ListTopicsDto {
  @PathParameter()
  stream_id!: number;

  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}
