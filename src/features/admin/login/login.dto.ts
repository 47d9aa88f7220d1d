import { IsString, MaxLength } from 'class-validator';

/** Longer texts are no address and no password; they are refused before anything costs time. */
export const MAX_EMAIL = 320;
export const MAX_PASSWORD = 4096;

/** Body of `POST /api/auth/login`. */
export class LoginDto {
  /** Real address of the person, in any case. */
  @IsString() @MaxLength(MAX_EMAIL) email!: string;
  /** Password of the person. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
}

/** Body of `PATCH /api/auth/me/password`. */
export class ChangePasswordDto {
  /** The password up to now. */
  @IsString() @MaxLength(MAX_PASSWORD) current_password!: string;
  /** The password from now on. */
  @IsString() @MaxLength(MAX_PASSWORD) new_password!: string;
}
