import { IsString, MaxLength } from 'class-validator';
import { MAX_EMAIL, MAX_PASSWORD } from '../people/people.dto';

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
