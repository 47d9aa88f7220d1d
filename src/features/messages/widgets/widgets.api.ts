import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Characters of the type of a submessage. */
export const MAX_SUBMESSAGE_TYPE = 100;
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
  @Parameter(text({ maxLength: MAX_SUBMESSAGE_TYPE }))
  msg_type!: string;
}

/** A submessage, such as a vote. */
export const submessageAdded = defineEvent<{
  readonly msg_type: string;
  readonly message_id: number;
  readonly submessage_id: number;
  readonly sender_id: number;
  /** JSON, as the client wrote it. */
  readonly content: string;
}>('submessage');

/** What a client sends about a widget is not what one is made of. */
export class BadWidget extends ApiError {
  constructor(problem: string) {
    super(`Widgets: ${problem}`);
  }
}

/** What a client sends to a poll or a to-do list is nothing that can be done with it. */
export class BadWidgetData extends ApiError {}

/** The content of a submessage is no JSON. */
export class BadSubmessageJson extends refusal('Invalid json for submessage') {}

/** The sender of the message has attached nothing to it that others could take part in. */
export class CannotAttach extends refusal('You cannot attach a submessage to this message.') {}

/** The caller has attached so much to a message that nothing more fits. */
export class TooManyOwnSubmessages extends refusal('You have added too much widget data to this message.') {}

/** So much is attached to a message that nothing more fits. */
export class TooManySubmessages extends refusal('Too much widget data on this message.') {}
