import type { AccountRecord, StartedSession } from '../../users/users.module';
import { MAX_EMAIL, MAX_PASSWORD, personRecord, type PersonRecord } from '../people/people.api';
import { IsString, MaxLength } from 'class-validator';

/** The answer to a login. */
export interface LoginAnswer {
  /** Belongs into the header `Authorization: Bearer ...` of further requests. */
  access_token: string;
  token_type: 'bearer';
  /** Seconds. */
  expires_in: number;
  user: PersonRecord;
}

/** The answer to a login. */
export function loginAnswer(account: AccountRecord, session: StartedSession): LoginAnswer {
  return {
    access_token: session.token,
    token_type: 'bearer',
    expires_in: session.seconds,
    user: personRecord(account),
  };
}

/** Body of `POST /api/auth/login`. */
export class LoginDto {
  /** Real address of the person, in any case. */
  @IsString() @MaxLength(MAX_EMAIL) email!: string;
  /** Password of the person. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
}

/** Body of `PATCH /api/auth/me/password`. */
export class ChangePasswordDto {
  /** The current password. */
  @IsString() @MaxLength(MAX_PASSWORD) current_password!: string;
  /** The new password. */
  @IsString() @MaxLength(MAX_PASSWORD) new_password!: string;
}
