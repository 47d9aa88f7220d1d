import { IsString, MaxLength, MinLength } from 'class-validator';
import { VisibleName } from '../../../platform/http/companion/valid-input';
import {
  type CreationOptions,
  type Passkey,
  PASSKEY_LIMITS,
  type UseOptions,
} from '../../users/users.module';

/** A passkey of the caller. */
export interface PasskeyRecord {
  /** Identifies the passkey in paths. */
  readonly id: number;
  readonly name: string;
  /** UNIX seconds. */
  readonly created_at: number;
  /** UNIX seconds; null if never used. */
  readonly last_used_at: number | null;
  /** The host for which it was created; browsers offer it nowhere else. */
  readonly site: string;
}

/** Converts a passkey to its record. */
export function passkeyRecord(row: Passkey): PasskeyRecord {
  const { id, name, site } = row;
  return { id, name, created_at: row.createdAt, last_used_at: row.lastUsedAt, site };
}

/** The data that a browser needs to create a passkey. */
export interface NewPasskeyChallenge {
  /** Opaque; to be returned with the response within five minutes. */
  readonly state: string;
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
  readonly options: CreationOptions;
}

/** The data that a browser needs to use a passkey. */
export interface PasskeyUseChallenge {
  /** Opaque; to be returned with the response within five minutes. */
  readonly state: string;
  /** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
  readonly options: UseOptions;
}

/** A passkey that was added. */
export interface AddedPasskeyRecord {
  readonly passkey: PasskeyRecord;
  /** Shown once, to people who had no second factor; null for others, whose codes stay valid. */
  readonly recovery_codes: readonly string[] | null;
}

/** Body of `PATCH /api/auth/me/passkeys/{passkey_id}`. */
export class PasskeyNameDto {
  /** A name by which the owner recognizes it. */
  @VisibleName('The name of a passkey has no invisible or control characters.')
  @IsString({ message: 'The name must be a text.' })
  @MinLength(1, { message: 'A passkey needs a name.' })
  @MaxLength(PASSKEY_LIMITS.name, {
    message: `The name of a passkey has at most ${PASSKEY_LIMITS.name} characters.`,
  })
  name!: string;
}

/** Body of `POST /api/auth/me/passkeys`. */
export class AddPasskeyDto extends PasskeyNameDto {
  /** From the challenge. */
  @IsString() @MaxLength(PASSKEY_LIMITS.state) state!: string;
  /** `response.clientDataJSON` of the browser's response, in Base64url. */
  @IsString() @MaxLength(PASSKEY_LIMITS.clientData) client_data!: string;
  /** `response.attestationObject` of the browser's response, in Base64url. */
  @IsString() @MaxLength(PASSKEY_LIMITS.attestation) attestation_object!: string;
}
