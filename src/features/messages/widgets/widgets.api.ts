import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Maximum length of a submessage's type. */
export const MAX_SUBMESSAGE_TYPE = 100;
const MAX_CONTENT_LENGTH = 10_000;

/** Parameters of `POST /submessage`. */
export class AddSubmessageDto {
  /** JSON: the action, in the format of the widget. */
  @Parameter(text({ maxLength: MAX_CONTENT_LENGTH }))
  content!: string;

  /** ID of the message. */
  @Parameter(json.integer())
  message_id!: number;

  /** Type of the submessage; clients only know `widget`. */
  @Parameter(text({ maxLength: MAX_SUBMESSAGE_TYPE }))
  msg_type!: string;
}

/** A submessage, such as a vote. */
export const submessageAdded = defineEvent<{
  readonly msg_type: string;
  readonly message_id: number;
  readonly submessage_id: number;
  readonly sender_id: number;
  /** JSON, as sent by the client. */
  readonly content: string;
}>('submessage');

/** The content of a widget is malformed. */
export class BadWidget extends ApiError {
  constructor(problem: string) {
    super(`Widgets: ${problem}`);
  }
}

/** The action on a poll or to-do list is invalid. */
export class BadWidgetData extends ApiError {}

/** The content of a submessage is not JSON. */
export class BadSubmessageJson extends refusal('Invalid json for submessage') {}

/** The sender of the message has not started a widget that others could add to. */
export class CannotAttach extends refusal('You cannot attach a submessage to this message.') {}

/** The caller has reached their limit of submessages on the message. */
export class TooManyOwnSubmessages extends refusal('You have added too much widget data to this message.') {}

/** The message has reached its limit of submessages. */
export class TooManySubmessages extends refusal('Too much widget data on this message.') {}
