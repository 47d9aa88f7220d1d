import { isNotificationSound, type PersonalSettings } from '../accounts/personal-settings.api';
import { languageName } from './languages';
import { InvalidSetting } from './settings.api';

/** Mail about missed messages may wait for up to a week. */
const MAX_BATCHING_SECONDS = 7 * 86_400;

/** Checks what the types of personal settings leave open. @throws InvalidSetting */
export function checkPersonalSettings({
  default_language: language,
  notification_sound: sound,
  email_notifications_batching_period_seconds: period,
}: Partial<PersonalSettings>): void {
  if (language !== undefined && languageName(language) === undefined) {
    throw new InvalidSetting('Invalid default_language');
  }
  if (sound !== undefined && !isNotificationSound(sound)) {
    throw new InvalidSetting(`Invalid notification sound '${sound}'`);
  }
  if (period !== undefined && (period <= 0 || period > MAX_BATCHING_SECONDS)) {
    throw new InvalidSetting(`Invalid email batching period: ${period} seconds`);
  }
}
