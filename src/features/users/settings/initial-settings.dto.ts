import { listedNumber } from '../../../platform/http/parameters/listed-number';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { EMAIL_VISIBILITIES } from '../accounts/email-visibility';
import {
  PERSONAL_SETTING_NAMES,
  PERSONAL_SETTINGS,
  type PersonalSettings,
} from '../accounts/personal-settings.wire';
import { PersonalSettingsDto } from './own-settings.dto';

const optional = { optional: true } as const;

/** The organization has its own setting for the language; the others are for each person to decide. */
const PERSONAL_ALONE: ReadonlySet<keyof PersonalSettings> = new Set([
  'default_language',
  'allow_private_data_export',
  'enable_login_emails',
  'enable_marketing_emails',
]);

const NAMES = PERSONAL_SETTING_NAMES.filter((name) => !PERSONAL_ALONE.has(name));

/** Parameters of `PATCH /realm/user_settings_defaults`: nearly every personal setting. */
export class InitialSettingsDto extends PersonalSettingsDto {
  /** Who sees the real address: 1 everybody, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  @Parameter(listedNumber(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
}

for (const name of NAMES) {
  Parameter<unknown>(PERSONAL_SETTINGS[name].type, optional)(InitialSettingsDto.prototype, name);
}

/** The settings that a request names. */
export function toInitialSettings(dto: InitialSettingsDto): Partial<InitialSettingsDto> {
  const given = [...NAMES, 'email_address_visibility' as const].filter((name) => dto[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, dto[name]]));
}
