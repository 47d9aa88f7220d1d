import { idList } from '../../../platform/http/parameters/id-list';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { RecordOptions } from './user-records.service';

/** What a caller wants in user records. */
class RecordOptionsDto {
  /** Whether the client works out addresses of Gravatar pictures by itself. */
  @Parameter(json.boolean(), { default: true }) client_gravatar!: boolean;
  /** Whether records include values of custom profile fields. */
  @Parameter(json.boolean(), { default: false }) include_custom_profile_fields!: boolean;
}

/** Parameters of `GET /users`. */
export class ListUsersDto extends RecordOptionsDto {
  /** IDs of the accounts to list; everybody if left out. */
  @Parameter(idList(), { optional: true, example: [8, 9] }) user_ids?: number[];
}

/** Parameters of `GET /users/{user_id}`. */
export class GetUserDto extends RecordOptionsDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /users/{email}`. */
export class GetUserByEmailDto extends RecordOptionsDto {
  /** Address of the account, real or of the interface. */
  @PathParameter(text()) email!: string;
}

/** Converts the parameters to options. */
export function toRecordOptions(dto: RecordOptionsDto): RecordOptions {
  return { clientGravatar: dto.client_gravatar, profileData: dto.include_custom_profile_fields };
}
