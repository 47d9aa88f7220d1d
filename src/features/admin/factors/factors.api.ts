import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { Optional } from '../../../platform/http/companion/valid-input';
import {
  FACTOR_AUDIENCES,
  type FactorRequirement,
} from '../../organization-settings/organization-settings.module';
import { MAX_CODE } from '../../users/users.module';
import { MAX_PASSWORD } from '../people/people.api';

/** A person's second factors. */
export interface SecondFactorRecord {
  /** Whether signing in by password requires a second factor: an app, or a passkey. */
  is_on: boolean;
  /** Whether there is an authenticator app. */
  has_app: boolean;
  /** Number of unused recovery codes. */
  recovery_codes_left: number;
}

/** The details for setting up an authenticator app. */
export interface NewSecondFactor {
  /** In Base 32, to type into the app. Shown only once. */
  secret: string;
  /** The secret as a URL for a QR code (`otpauth://`). */
  address: string;
}

/** Recovery codes, in case the app is lost. */
export interface RecoveryCodes {
  /** Each replaces a code once. Shown only once. */
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
  /** When the requirement starts, in UNIX seconds; immediately if omitted. */
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
