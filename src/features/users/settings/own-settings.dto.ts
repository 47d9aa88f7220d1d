import { EMAIL_VISIBILITIES } from '../accounts/email-visibility';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { OwnSettingsChange } from './own-settings.service';
import {
  PERSONAL_SETTINGS,
  PERSONAL_SETTING_NAMES,
  type PersonalSettings,
} from '../accounts/personal-settings.wire';

const optional = { optional: true } as const;

/** More than any password has; to take a hash of megabytes would keep others waiting. */
const MAX_PASSWORD_LENGTH = 4096;

/** Every personal setting, as its table declares it. */
export const PersonalSettingsDto = class {} as new () => Partial<PersonalSettings>;

/** Parameters of `PATCH /settings`: name and the like, and every personal setting. */
export class OwnSettingsDto extends PersonalSettingsDto {
  /** Name that is shown. */
  @Parameter(text(), optional) full_name?: string;
  /** Another real address. */
  @Parameter(text({ trim: true }), optional) email?: string;
  /** The password up to now; needed for a new one. */
  @Parameter(text({ maxLength: MAX_PASSWORD_LENGTH }), { default: '' }) old_password!: string;
  /** The password from now on. */
  @Parameter(text({ maxLength: MAX_PASSWORD_LENGTH }), optional) new_password?: string;
  /** Name of a time zone, such as `Europe/Berlin`. */
  @Parameter(text({ maxLength: 40 }), optional) timezone?: string;
  /** Who sees the real address: 1 everybody, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  @Parameter(json.oneOf(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
  /** Whose settings to change in place of one's own; refused, as everybody changes their own alone. */
  @Parameter(text(), optional) target_users?: string;
}

for (const name of PERSONAL_SETTING_NAMES) {
  Parameter<unknown>(PERSONAL_SETTINGS[name].type, optional)(OwnSettingsDto.prototype, name);
}

/** Converts the parameters to a change. */
export function toOwnSettingsChange(dto: OwnSettingsDto): OwnSettingsChange {
  const settings: Partial<PersonalSettings> = {};
  for (const name of PERSONAL_SETTING_NAMES) {
    if (dto[name] !== undefined) Object.assign(settings, { [name]: dto[name] });
  }
  return {
    fullName: dto.full_name,
    email: dto.email,
    oldPassword: dto.old_password,
    newPassword: dto.new_password,
    timezone: dto.timezone,
    emailVisibility: dto.email_address_visibility,
    settings,
    isForOthers: dto.target_users !== undefined,
  };
}
