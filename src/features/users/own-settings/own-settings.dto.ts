import { EMAIL_VISIBILITIES } from '../account.directory';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { OwnSettingsChange } from './own-settings.service';
import { PERSONAL_SETTINGS, PERSONAL_SETTING_NAMES, type PersonalSettings } from '../personal-settings.wire';

const optional = { optional: true } as const;

/** Parameters of `PATCH /settings`: who one is, and every personal setting. */
export class OwnSettingsDto {
  @Parameter(text(), optional) full_name?: string;
  @Parameter(text({ trim: true }), optional) email?: string;
  @Parameter(text(), { default: '' }) old_password!: string;
  @Parameter(text(), optional) new_password?: string;
  @Parameter(text({ maxLength: 40 }), optional) timezone?: string;
  @Parameter(json.oneOf(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
}

for (const name of PERSONAL_SETTING_NAMES) {
  Parameter<unknown>(PERSONAL_SETTINGS[name].type, optional)(OwnSettingsDto.prototype, name);
}

/** Turns the parameters into what is to change. */
export function toOwnSettingsChange(dto: OwnSettingsDto): OwnSettingsChange {
  const settings: Partial<PersonalSettings> = {};
  const given = dto as Partial<PersonalSettings>;
  for (const name of PERSONAL_SETTING_NAMES) {
    if (given[name] !== undefined) Object.assign(settings, { [name]: given[name] });
  }
  return {
    fullName: dto.full_name,
    email: dto.email,
    oldPassword: dto.old_password,
    newPassword: dto.new_password,
    timezone: dto.timezone,
    emailVisibility: dto.email_address_visibility,
    settings,
  };
}
