import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { LATEST_DELIVERY } from '../scheduled-messages.dto';

/** Parameters of `POST /reminders`. */
export class AddReminderDto {
  /** ID of the message. */
  @Parameter(json.integer())
  message_id!: number;

  /** When the caller is to be reminded, in UNIX seconds. */
  @Parameter(json.integer({ max: LATEST_DELIVERY }))
  scheduled_delivery_timestamp!: number;

  /** What the reminder is to say besides. */
  @Parameter(text(), { optional: true })
  note?: string;
}

/** Parameters of `DELETE /reminders/{reminder_id}`. */
export class DeleteReminderDto {
  /** ID of the reminder. */
  @PathParameter()
  reminder_id!: number;
}
