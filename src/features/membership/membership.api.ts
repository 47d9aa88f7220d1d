import { ApiError, refusal } from '../../platform/errors/api-error';

/** The caller lacks the flag that creating accounts needs in every role. */
export class MayNotCreateUsers extends refusal('User not authorized to create users', {
  companion: { status: 403 },
  advice:
    'An owner lets an administrator do so: PATCH /api/auth/users/{user_id} with can_create_users, or on the server ' +
    '"parley user role <user> administrator --can-create-users".',
}) {}

/** A short name or address that cannot become an account. */
export class BadNameOrUsername extends ApiError {
  constructor(advice: string) {
    super('Bad name or username', { advice });
  }
}

/** The account that leaves would leave the organization without an owner, or without any user. */
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
export class OnlyOwnerStays extends refusal(
  'The owner permission cannot be removed from the only organization owner.',
  {
    companion: { status: 409 },
  },
) {}

/** Two active accounts would have one name, and one of them is a bot. */
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

/** The account cannot own a bot; the sentence says why. */
export class CannotOwnBot extends ApiError {
  constructor(reason: string) {
    super(`Failed to change owner, ${reason}`);
  }
}
