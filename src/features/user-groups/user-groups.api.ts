import { PathParameter } from '../../platform/http/parameters/parameter.decorator';

/** Names a group by the digits in the path. */
export class UserGroupPathDto {
  /** ID of the user group. */
  @PathParameter() user_group_id!: number;
}
