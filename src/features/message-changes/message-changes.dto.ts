import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { PROPAGATE_MODES, type PropagateMode } from './edit/edit-request';

/** Parameters of `PATCH /messages/{message_id}` (messages reference 5.1). */
export class UpdateMessageDto {
  @PathParameter() message_id!: number;

  @Parameter(text({ unchecked: true }), { optional: true })
  content?: string;

  @Parameter(text({ unchecked: true }), { aliases: ['subject'], optional: true })
  topic?: string;

  @Parameter(json.integer(), { optional: true })
  stream_id?: number;

  @Parameter(oneOf(PROPAGATE_MODES), { default: 'change_one' })
  propagate_mode!: PropagateMode;

  @Parameter(json.boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  @Parameter(json.boolean(), { default: true })
  send_notification_to_new_thread!: boolean;

  @Parameter(text(), { optional: true })
  prev_content_sha256?: string;
}

/** Parameters of `DELETE /messages/{message_id}` (messages reference 5.2). */
export class DeleteMessageDto {
  @PathParameter() message_id!: number;
}

/** Parameters of `GET /messages/{message_id}/history` (messages reference 5.3). */
export class MessageHistoryDto {
  @PathParameter() message_id!: number;
  @Parameter(json.boolean(), { default: false }) allow_empty_topic_name!: boolean;
}

/** Parameters of `POST /streams/{stream_id}/delete_topic` (messages reference 11.2). */
export class DeleteTopicDto {
  @PathParameter() stream_id!: number;
  @Parameter(text()) topic_name!: string;
}
