import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

const MAX_TYPE_LENGTH = 100;
const MAX_CONTENT_LENGTH = 10_000;

/** Parameters of `POST /submessage`. */
export class AddSubmessageDto {
  /** JSON: what is done, in the words of the widget. */
  @Parameter(text({ maxLength: MAX_CONTENT_LENGTH }))
  content!: string;

  /** ID of the message. */
  @Parameter(json.integer())
  message_id!: number;

  /** What kind of thing it is; clients know `widget` alone. */
  @Parameter(text({ maxLength: MAX_TYPE_LENGTH }))
  msg_type!: string;
}
