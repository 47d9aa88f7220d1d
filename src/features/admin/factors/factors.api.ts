import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { Optional } from '../../../platform/http/companion/valid-input';
import {
  FACTOR_AUDIENCES,
  type FactorRequirement,
} from '../../organization-settings/organization-settings.module';
import { MAX_CODE } from '../../users/users.module';
import { MAX_PASSWORD } from '../people/people.api';

/** The second factor of a person. */
export interface SecondFactorRecord {
  /** Whether signing in by password asks for a second factor: an app, or a passkey. */
  is_on: boolean;
  /** Whether there is an authenticator app. */
  has_app: boolean;
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
  recovery_codes: readonly string[];
}

/** The end of the year 9999. */
const MAX_TIME = 253_402_300_799;

/** Who must have a second factor. */
export interface FactorPolicyRecord {
  /** Administrators include owners. */
  required_of: FactorRequirement['of'];
  /** When the requirement starts or started, in UNIX seconds; null if there is none. */
  from: number | null;
}

/** Body of `PATCH /api/auth/second-factor-policy`. */
export class FactorPolicyDto {
  /** `nobody`, `administrators` (and owners) or `everyone`. */
  @IsIn(FACTOR_AUDIENCES) required_of!: FactorRequirement['of'];
  /** When it begins, in UNIX seconds; at once if omitted. */
  @Optional() @IsInt() @Min(0) @Max(MAX_TIME) from?: number;
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
