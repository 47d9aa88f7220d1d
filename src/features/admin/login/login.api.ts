import type { AccountRecord, StartedSession } from '../../users/users.module';
import { MAX_EMAIL, MAX_PASSWORD, personRecord, type PersonRecord } from '../people/people.api';
import { IsString, MaxLength } from 'class-validator';
import { refusal } from '../../../platform/errors/api-error';
import { Optional } from '../../../platform/http/companion/valid-input';
import { MAX_CODE, PASSKEY_LIMITS, type PasskeyProof } from '../../users/users.module';

/** Longer than any challenge. */
const MAX_CHALLENGE = 1_000;

/** The response to a login. */
export interface LoginAnswer {
  /** To be sent as `Authorization: Bearer ...` with further requests. */
  access_token: string;
  token_type: 'bearer';
  /** Seconds. */
  expires_in: number;
  user: PersonRecord;
}

/** Builds the response to a login. */
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
  /** Real email address of the person, case-insensitive. */
  @IsString() @MaxLength(MAX_EMAIL) email!: string;
  /** Password of the person. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
}

/** How the caller authenticates again. */
export interface ReauthenticationRecord {
  /**
   * `code` of the second factor; `password` without one; `sign_in` for people who have neither, but an identity
   * provider.
   */
  by: 'code' | 'password' | 'sign_in';
  /** Whether a passkey can replace the code. */
  has_passkey: boolean;
}

/** A code, or a passkey instead. */
class FactorProofDto {
  /** Code of the second factor, or a recovery code. */
  @Optional() @IsString() @MaxLength(MAX_CODE) code?: string;
  /** Instead of a code, with the four fields below: the `state` that came with the options for the passkey. */
  @Optional() @IsString() @MaxLength(PASSKEY_LIMITS.state) state?: string;
  /** `id` of the browser's response. */
  @Optional() @IsString() @MaxLength(PASSKEY_LIMITS.credentialId) credential_id?: string;
  /** `response.clientDataJSON` of the browser's response, in Base64url. */
  @Optional() @IsString() @MaxLength(PASSKEY_LIMITS.clientData) client_data?: string;
  /** `response.authenticatorData` of the browser's response, in Base64url. */
  @Optional() @IsString() @MaxLength(PASSKEY_LIMITS.authenticatorData) authenticator_data?: string;
  /** `response.signature` of the browser's response, in Base64url. */
  @Optional() @IsString() @MaxLength(PASSKEY_LIMITS.signature) signature?: string;
}

/** Body of `POST /api/auth/me/reauthentication`. */
export class ReauthenticateDto extends FactorProofDto {
  /** The caller's password, if they have no second factor. */
  @Optional() @IsString() @MaxLength(MAX_PASSWORD) password?: string;
}

/** Body of `POST /api/auth/login/second-factor`. */
export class SecondLoginDto extends FactorProofDto {
  /** From the refused login. */
  @IsString() @MaxLength(MAX_CHALLENGE) challenge!: string;
}

/** A passkey's response in the request; undefined if there is none. */
export function passkeyIn(body: FactorProofDto): PasskeyProof | undefined {
  const { state, credential_id, client_data, authenticator_data, signature } = body;
  if (state === undefined) return undefined;
  return {
    state,
    credentialId: credential_id ?? '',
    clientData: client_data ?? '',
    authenticatorData: authenticator_data ?? '',
    signature: signature ?? '',
  };
}

/** The caller has neither a password nor a factor: they have to sign in with their provider again. */
export class SignInAgain extends refusal('Sign in again with your identity provider.', {
  companion: { status: 409 },
}) {}

/** Body of `PATCH /api/auth/me/password`. */
export class ChangePasswordDto {
  /** The current password. */
  @IsString() @MaxLength(MAX_PASSWORD) current_password!: string;
  /** The new password. */
  @IsString() @MaxLength(MAX_PASSWORD) new_password!: string;
}
