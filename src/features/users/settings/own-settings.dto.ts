import { EMAIL_VISIBILITIES } from '../accounts/email-visibility';
import { idList } from '../../../platform/http/parameters/id-list';
import { json } from '../../../platform/http/parameters/json';
import { listedNumber } from '../../../platform/http/parameters/listed-number';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import type { Decoded } from '../../../platform/http/parameters/wire-type';
import { text } from '../../../platform/http/parameters/text';
import type { OwnSettingsChange } from './own-settings.service';
import type { Targets } from './others-settings.service';
import {
  PERSONAL_SETTINGS,
  PERSONAL_SETTING_NAMES,
  type PersonalSettings,
} from '../accounts/personal-settings.wire';

const optional = { optional: true } as const;

/** More than any password has; to take a hash of megabytes would keep others waiting. */
const MAX_PASSWORD_LENGTH = 4096;

const targetUsers = json.object({
  user_ids: idList({ optional: true }),
  group_ids: idList({ optional: true }),
  skip_if_already_edited: json.boolean(),
});

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
  @Parameter(listedNumber(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
  /**
   * Whose settings to change in place of one's own, for administrators: people by their IDs, and everybody in groups. With
   * `skip_if_already_edited`, what people have changed themselves stays as it is.
   */
  @Parameter(targetUsers, { ...optional, example: { user_ids: [8], skip_if_already_edited: true } })
  target_users?: Decoded<typeof targetUsers>;
}

for (const name of PERSONAL_SETTING_NAMES) {
  Parameter<unknown>(PERSONAL_SETTINGS[name].type, optional)(OwnSettingsDto.prototype, name);
}

function toTargets({ user_ids, group_ids, skip_if_already_edited }: Decoded<typeof targetUsers>): Targets {
  return {
    userIds: user_ids ?? [],
    groupIds: group_ids ?? [],
    isSparingEdited: skip_if_already_edited,
  };
}

/** Converts the parameters to a change. */
export function toOwnSettingsChange(dto: OwnSettingsDto, session: string | null): OwnSettingsChange {
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
    session,
    targets: dto.target_users && toTargets(dto.target_users),
  };
}
