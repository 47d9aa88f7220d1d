import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { defineEvent } from '../../../platform/events/server-event';
import { refusal } from '../../../platform/errors/api-error';

/** Parameters of `POST /users/me/muted_users/{muted_user_id}` and of `DELETE`. */
export class MutedUserDto {
  /** ID of the account to mute or unmute. */
  @PathParameter() muted_user_id!: number;
}

/** A muted person, and the time of muting in UNIX seconds. */
export interface MutedUserWire {
  readonly id: number;
  readonly timestamp: number;
}

/** The recipient muted or unmuted a person; the list is complete. */
export const mutedUsersChanged = defineEvent<{ muted_users: readonly MutedUserWire[] }>('muted_users');

/** The caller tries to mute themselves. */
export class CannotMuteSelf extends refusal('Cannot mute self') {}

/** The caller has already muted the person. */
export class UserAlreadyMuted extends refusal('User already muted') {}

/** The caller has not muted the person. */
export class UserNotMuted extends refusal('User is not muted') {}
