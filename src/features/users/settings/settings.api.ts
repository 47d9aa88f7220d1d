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

/** What a person wants to change about themselves. */
export interface OwnSettingsChange {
  readonly fullName?: string;
  readonly email?: string;
  /** Needed with a new password, and outside browsers with another address. */
  readonly oldPassword: string;
  readonly newPassword?: string;
  readonly timezone?: string;
  readonly emailVisibility?: number;
  readonly settings: Partial<PersonalSettings>;
  /** The session in which a new password is set, if it is a browser's: the others end. */
  readonly session: string | null;
  /** Whose settings are meant, where those are not the caller's. */
  readonly targets?: Targets;
}

/** Whose settings an administrator changes. */
export interface Targets {
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  /** Whether what people have changed themselves stays as it is. */
  readonly isSparingEdited: boolean;
}

const optional = { optional: true } as const;

const targetUsers = json.object({
  user_ids: idList({ optional: true }),
  group_ids: idList({ optional: true }),
  skip_if_already_edited: json.boolean(),
});

/** Every personal setting, as its table declares it. */
const PersonalSettingsDto = class {} as new () => Partial<PersonalSettings>;

/** Parameters of `PATCH /settings`: name and the like, and every personal setting. */
export class OwnSettingsDto extends PersonalSettingsDto {
  /** Name that is shown. */
  @Parameter(text(), { ...optional, checked: FULL_NAME_LENGTHS }) full_name?: string;
  /** Another real address. */
  @Parameter(text({ trim: true }), optional) email?: string;
  /** The password up to now; needed for a new one, and outside browsers for another address. */
  @Parameter(text({ maxLength: PASSWORD_RULES.maxLength }), { default: '' }) old_password!: string;
  /** The password from now on. */
  @Parameter(text({ maxLength: PASSWORD_RULES.maxLength }), optional) new_password?: string;
  /** Name of a time zone, such as `Europe/Berlin`. */
  @Parameter(text({ maxLength: 40 }), optional) timezone?: string;
  /** Who sees the real address: 1 everybody, 2 members, 3 administrators, 4 no one, 5 moderators. */
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

/** Parameters of `POST /zcommand`. */
export class SlashCommandDto {
  /** `/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`. */
  @Parameter(text({ maxLength: 100 })) command!: string;
}

/** One of the receiver's personal settings changed. */
export const personalSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
  language_name?: string;
}>('user_settings', 'update');

/** A personal setting with which new people begin has another value. */
export const initialSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
}>('realm_user_settings_defaults', 'update');

/** In this organization only administrators may change addresses. */
export class EmailChangesDisabled extends refusal(
  'Email address changes are disabled in this organization.',
) {}

/** A setting has a value that the server does not know; the sentence names both. */
export class InvalidSetting extends ApiError {}

/** An administrator wants to change what is for everybody to decide alone. */
export class OnlyOwnSetting extends refusal('Cannot change this setting for other users.') {}

/** Other people's settings are targeted, but no users or groups are given. */
export class NobodyTargeted extends refusal('Either user_ids or group_ids must be provided.') {}

/** Among the people whose settings are meant is one who does not exist. */
export class UnknownTarget extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID: ${userId}`);
  }
}

/** A text that is no command, for want of a slash. */
export class CommandWithoutSlash extends refusal('There should be a leading slash in the zcommand.') {}

/** There is no command of that name. */
export class NoSuchCommand extends ApiError {
  constructor(name: string) {
    super(`No such command: ${name}`);
  }
}

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
  /** Who sees the real address: 1 everybody, 2 members, 3 administrators, 4 no one, 5 moderators. */
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
