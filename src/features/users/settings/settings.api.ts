import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { EMAIL_VISIBILITIES, FULL_NAME_LENGTHS } from '../accounts/accounts.api';
import { idList, listedNumber } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import type { Decoded } from '../../../platform/http/parameters/json-type';
import { text } from '../../../platform/http/parameters/text';
import {
  PERSONAL_SETTING_NAMES,
  PERSONAL_SETTINGS,
  type PersonalSettings,
} from '../accounts/personal-settings.api';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Changes to a person's own settings. */
export interface OwnSettingsChange {
  readonly fullName?: string;
  readonly email?: string;
  /** Required for a new password, and outside browsers for a new address. */
  readonly oldPassword: string;
  readonly newPassword?: string;
  readonly timezone?: string;
  readonly emailVisibility?: number;
  readonly settings: Partial<PersonalSettings>;
  /** The browser session in which a new password is set, if any: all others end. */
  readonly session: string | null;
  /** The people whose settings to change, if not the caller's own. */
  readonly targets?: Targets;
}

/** The people whose settings an administrator changes. */
export interface Targets {
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  /** Whether to skip settings that people changed themselves. */
  readonly isSparingEdited: boolean;
}

const optional = { optional: true } as const;

const targetUsers = json.object({
  user_ids: idList({ optional: true }),
  group_ids: idList({ optional: true }),
  skip_if_already_edited: json.boolean(),
});

/** All personal settings, as declared in their table. */
const PersonalSettingsDto = class {} as new () => Partial<PersonalSettings>;

/** Parameters of `PATCH /settings`: name, address, password, and all personal settings. */
export class OwnSettingsDto extends PersonalSettingsDto {
  /** Full name. */
  @Parameter(text(), { ...optional, checked: FULL_NAME_LENGTHS }) full_name?: string;
  /** New email address. */
  @Parameter(text({ trim: true }), optional) email?: string;
  /** The current password; required for a new one, and outside browsers for a new address. */
  @Parameter(text({ maxLength: PASSWORD_RULES.maxLength }), { default: '' }) old_password!: string;
  /** The new password. */
  @Parameter(text({ maxLength: PASSWORD_RULES.maxLength }), optional) new_password?: string;
  /** Name of a time zone, such as `Europe/Berlin`. */
  @Parameter(text({ maxLength: 40 }), optional) timezone?: string;
  /** Who sees the email address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  @Parameter(listedNumber(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
  /**
   * Whose settings to change instead of the caller's, for administrators: people by ID, and members of groups. With
   * `skip_if_already_edited`, settings that people changed themselves are skipped.
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

/** Parameters of `POST /zcommand`. */
export class SlashCommandDto {
  /** `/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`. */
  @Parameter(text({ maxLength: 100 })) command!: string;
}

/** One of the recipient's personal settings changed. */
export const personalSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
  language_name?: string;
}>('user_settings', 'update');

/** The default of a personal setting for new people changed. */
export const initialSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
}>('realm_user_settings_defaults', 'update');

/** Only administrators may change email addresses in this organization. */
export class EmailChangesDisabled extends refusal(
  'Email address changes are disabled in this organization.',
) {}

/** A setting has an unknown value; the text contains both. */
export class InvalidSetting extends ApiError {}

/** The setting is for each person alone to change. */
export class OnlyOwnSetting extends refusal('Cannot change this setting for other users.') {}

/** Other people's settings are targeted, but neither users nor groups are given. */
export class TargetsMissing extends refusal('Either user_ids or group_ids must be provided.') {}

/** One of the targeted people does not exist. */
export class UnknownTarget extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
  }
}

/** The text is not a command, because it has no slash. */
export class CommandWithoutSlash extends refusal('There should be a leading slash in the zcommand.') {}

/** There is no command with this name. */
export class NoSuchCommand extends ApiError {
  constructor(name: string) {
    super(`No such command: ${name}`);
  }
}

/** The language has an organization setting of its own; the others have no organization-wide default. */
const PERSONAL_ALONE: ReadonlySet<keyof PersonalSettings> = new Set([
  'default_language',
  'allow_private_data_export',
  'enable_login_emails',
  'enable_marketing_emails',
]);

const NAMES = PERSONAL_SETTING_NAMES.filter((name) => !PERSONAL_ALONE.has(name));

/** Parameters of `PATCH /realm/user_settings_defaults`: nearly all personal settings. */
export class InitialSettingsDto extends PersonalSettingsDto {
  /** Who sees the email address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  @Parameter(listedNumber(EMAIL_VISIBILITIES), optional) email_address_visibility?: number;
}

for (const name of NAMES) {
  Parameter<unknown>(PERSONAL_SETTINGS[name].type, optional)(InitialSettingsDto.prototype, name);
}

/** The settings in a request. */
export function toInitialSettings(dto: InitialSettingsDto): Partial<InitialSettingsDto> {
  const given = [...NAMES, 'email_address_visibility' as const].filter((name) => dto[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, dto[name]]));
}
