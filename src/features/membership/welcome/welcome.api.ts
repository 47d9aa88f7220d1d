import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { MAX_WELCOME_TEXT_LENGTH } from '../../organization-settings/organization-settings.module';

/** Parameters of `POST /realm/test_welcome_bot_custom_message`. */
export class TryWelcomeTextDto {
  /** What people who are new would be told, in Markdown. */
  @Parameter(text({ maxLength: MAX_WELCOME_TEXT_LENGTH }))
  welcome_message_custom_text!: string;
}
