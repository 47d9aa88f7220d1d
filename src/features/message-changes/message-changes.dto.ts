import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { PROPAGATE_MODES, type PropagateMode } from './rights/planned-edit';

/** Parameters of `PATCH /messages/{message_id}`. */
export class UpdateMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;

  /** What the message says from now on, in Markdown. */
  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  /** Topic that messages move to. */
  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  /** ID of the channel that messages move to. */
  @Parameter(json.integer(), { optional: true })
  stream_id?: number;

  /** Which messages of the topic move: this one, it and later ones, or all. */
  @Parameter(oneOf(PROPAGATE_MODES), { default: 'change_one' })
  propagate_mode!: PropagateMode;

  /** Whether a notice stays where messages were. */
  @Parameter(json.boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  /** Whether a notice goes where messages are. */
  @Parameter(json.boolean(), { default: true })
  send_notification_to_new_thread!: boolean;

  /** SHA-256 in hex of the content that was edited; refused where it is no longer that. */
  @Parameter(text(), { optional: true })
  prev_content_sha256?: string;
}

/** Parameters of `DELETE /messages/{message_id}`. */
export class DeleteMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
}

/** Parameters of `GET /messages/{message_id}/history`. */
export class MessageHistoryDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** Whether the client knows the empty topic; otherwise it gets a name in its place. */
  @Parameter(json.boolean(), { default: false }) allow_empty_topic_name!: boolean;
}

/** Parameters of `POST /streams/{stream_id}/delete_topic`. */
export class DeleteTopicDto {
  /** ID of the channel. */
  @PathParameter() stream_id!: number;
  /** Name of the topic. */
  @Parameter(text()) topic_name!: string;
}
