import { PathParameter } from '../../platform/http/parameters/parameter.decorator';

/** Parameters of `POST /users/me/muted_users/{muted_user_id}` and of `DELETE`. */
export class MutedUserDto {
  @PathParameter() muted_user_id!: number;
}
