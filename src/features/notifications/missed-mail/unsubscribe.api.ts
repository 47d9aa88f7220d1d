import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** The secret part of a link. */
export class UnsubscribeTokenDto {
  /** Secret part of the link in the mail. */
  @PathParameter(text({ unchecked: true })) unsubscribe_token!: string;
}

/** All settings that cause mail about missed messages. */
export const MISSED_MAIL_OFF = {
  enable_offline_email_notifications: false,
  enable_followed_topic_email_notifications: false,
  enable_stream_email_notifications: false,
};
