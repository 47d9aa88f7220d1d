import { IsString, MaxLength } from 'class-validator';
import { MAX_CODE } from '../../users/users.module';
import { MAX_PASSWORD } from '../people/people.api';

/** Longer than any challenge. */
const MAX_CHALLENGE = 1_000;

/** The second factor of a person. */
export interface SecondFactorRecord {
  /** Whether signing in by password asks for a code. */
  is_on: boolean;
  /** Recovery codes that were not used. */
  recovery_codes_left: number;
}

/** What an authenticator app is told. */
export interface NewSecondFactor {
  /** In Base 32, to be typed into the app. It is shown this once. */
  secret: string;
  /** The same as an address that apps read from a picture (`otpauth://`). */
  address: string;
}

/** Recovery codes, for when the app is lost. */
export interface RecoveryCodes {
  /** Each signs in once in the place of a code. They are shown this once. */
  recovery_codes: string[];
}

/** Body of `POST /api/auth/me/second-factor`. */
export class BeginSecondFactorDto {
  /** The caller's password. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
}

/** Body of requests with a code of the second factor. */
export class SecondFactorCodeDto {
  /** The code that the app shows, or a recovery code. */
  @IsString() @MaxLength(MAX_CODE) code!: string;
}

/** Body of `POST /api/auth/login/second-factor`. */
export class SecondLoginDto extends SecondFactorCodeDto {
  /** From the refusal of the login. */
  @IsString() @MaxLength(MAX_CHALLENGE) challenge!: string;
}
