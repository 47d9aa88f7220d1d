import { PathParameter } from '../../platform/http/parameters/parameter.decorator';

/** Parameters of `POST /users/me/muted_users/{muted_user_id}` and of `DELETE`. */
export class MutedUserDto {
  /** ID of the account to mute or unmute. */
  @PathParameter() muted_user_id!: number;
}
