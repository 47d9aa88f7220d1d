import { ApiError, refusal } from '../../platform/errors/api-error';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { PASSWORD_RULES } from '../../platform/secrets/passwords';
import { MAX_WELCOME_TEXT_LENGTH } from '../organization-settings/organization-settings.module';

/** The caller lacks the flag that is required in every role to create accounts. */
export class MayNotCreateUsers extends refusal('User not authorized to create users', {
  companion: { status: 403 },
  advice:
    'An owner lets an administrator do so: PATCH /api/auth/users/{user_id} with can_create_users, or on the server ' +
    '"parley user role <user> administrator --can-create-users".',
}) {}

/** The caller is an owner without the flag, which covers both of the permissions that only Zulip's operators grant. */
export class MayNotChangeEmails extends refusal('User not authorized to change user emails', {
  advice: 'On the server: "parley user role <user> owner --can-create-users".',
}) {}

/** A short name or address that cannot become an account. */
export class BadNameOrUsername extends ApiError {
  constructor(advice: string) {
    super('Bad name or username', { advice });
  }
}

/** The departing account would leave the organization without an owner, or without any user. */
export class CannotDeactivateLastUser extends ApiError {
  constructor(isLastOwner: boolean) {
    const entity = isLastOwner ? 'organization owner' : 'user';
    super(`Cannot deactivate the only ${entity}.`, {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      data: { is_last_owner: isLastOwner, entity },
    });
  }
}

/** An administrator wants to deactivate the only owner. */
export class CannotDeactivateOnlyOwner extends refusal('Cannot deactivate the only organization owner', {
  companion: { status: 409 },
}) {}

/** Deleting profile or messages on deactivation is not supported. */
export class CannotDeleteOnDeactivation extends ApiError {
  constructor(action: string) {
    super(`Deactivating a user deletes nothing. ${action} is not supported.`);
  }
}

/** The only owner would stop being one. */
export class LastOwnerMustStay extends refusal(
  'The owner permission cannot be removed from the only organization owner.',
  {
    companion: { status: 409 },
  },
) {}

/** Two active accounts would have the same name, and one of them is a bot. */
export class NameInUse extends refusal('Name is already in use.') {}

/** A reactivated bot would have the name of an active account. */
export class BotNameInUse extends ApiError {
  constructor(fullName: string) {
    super(
      `There is already an active bot named "${fullName}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
    );
  }
}

/** No kind of bot has this number. */
export class InvalidBotType extends refusal('Invalid bot type') {}

/** The server runs no embedded bots. */
export class EmbeddedBotsDisabled extends refusal('Embedded bots are not enabled.') {}

/** The account cannot own a bot; the text explains why. */
export class CannotOwnBot extends ApiError {
  constructor(reason: string) {
    super(`Failed to change owner, ${reason}`);
  }
}

/** Parameters of `POST /realm/test_welcome_bot_custom_message`. */
export class TestWelcomeMessageDto {
  /** Welcome text for new people, in Markdown. */
  @Parameter(text({ maxLength: MAX_WELCOME_TEXT_LENGTH }))
  welcome_message_custom_text!: string;
}

const optional = { optional: true } as const;

/** Maximum lengths of the form fields. */
export const RESET_LIMITS = { email: 320, password: PASSWORD_RULES.maxLength } as const;

/** Form fields of a password reset request. */
export class RequestResetDto {
  /** Real address of the account. */
  @Parameter(text({ trim: true, maxLength: RESET_LIMITS.email }), optional) email?: string;
}

/** The secret part of a link in the path; empty if there is none. */
export class ResetTokenDto {
  /** Secret part of the link from the mail. */
  @PathParameter(text({ unchecked: true })) reset_token!: string;
}

/** Form fields of the page for a new password. */
export class NewPasswordDto extends ResetTokenDto {
  /** New password; must not be easy to guess. */
  @Parameter(text({ maxLength: RESET_LIMITS.password }), optional) password?: string;
  /** Real address of the account, if the path contains no secret. */
  @Parameter(text({ trim: true, maxLength: RESET_LIMITS.email }), optional) email?: string;
}

/** Maximum lengths of the form fields; names have their own limit. */
export const JOIN_LIMITS = { name: 100, email: 320, password: PASSWORD_RULES.maxLength } as const;

/** Key of an invitation in the path. */
export class InvitationKeyDto {
  /** Key of the invitation. */
  @PathParameter(text({ unchecked: true })) invitation_key!: string;
}

/** The details that an invited person fills in. */
export class JoinDto extends InvitationKeyDto {
  /** Full name. */
  @Parameter(text({ maxLength: JOIN_LIMITS.name * 4 }), optional) full_name?: string;
  /** Real address, if the invitation contains none. */
  @Parameter(text({ trim: true, maxLength: JOIN_LIMITS.email }), optional) email?: string;
  /** Password for signing in; must not be easy to guess. */
  @Parameter(text({ maxLength: JOIN_LIMITS.password }), optional) password?: string;
}

const CHANNEL_GROUP = /^channels_(\d{1,10})$/;

/** Name of the form field for a default channel group. */
export function channelGroupField(id: number): string {
  return `channels_${id}`;
}

/** The selected default channel groups. */
export function channelGroupsIn(fields: ReadonlyMap<string, string>): Set<number> {
  const ids = [...fields.keys()].map((name) => CHANNEL_GROUP.exec(name)?.[1]);
  return new Set(ids.filter((id) => id !== undefined).map(Number));
}

/** The key as in the link, which ends with a slash. */
export function keyOf({ invitation_key: key }: InvitationKeyDto): string {
  return key.endsWith('/') ? key.slice(0, -1) : key;
}
