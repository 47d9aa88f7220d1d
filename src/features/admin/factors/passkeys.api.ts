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
  /** Names the passkey in paths. */
  readonly id: number;
  readonly name: string;
  /** UNIX seconds. */
  readonly created_at: number;
  /** UNIX seconds; null if it was not used since it was added. */
  readonly last_used_at: number | null;
  /** The host for which it was made; browsers offer it nowhere else. */
  readonly site: string;
}

/** As the wire has it. */
export function passkeyRecord(row: Passkey): PasskeyRecord {
  const { id, name, site } = row;
  return { id, name, created_at: row.createdAt, last_used_at: row.lastUsedAt, site };
}

/** What a browser needs to make a passkey. */
export interface NewPasskeyChallenge {
  /** To be sent back with the answer, within five minutes. */
  readonly state: string;
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
  readonly options: CreationOptions;
}

/** What a browser needs to use a passkey. */
export interface PasskeyUseChallenge {
  /** To be sent back with the answer, within five minutes. */
  readonly state: string;
  /** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
  readonly options: UseOptions;
}

/** A passkey that was added. */
export interface AddedPasskeyRecord {
  readonly passkey: PasskeyRecord;
  /** For people who had no second factor, shown this once; null for others, whose codes go on. */
  readonly recovery_codes: readonly string[] | null;
}

/** Body of `PATCH /api/auth/me/passkeys/{passkey_id}`. */
export class PasskeyNameDto {
  /** How its owner recognizes it. */
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
  /** `response.clientDataJSON` of the browser's answer, in Base64url. */
  @IsString() @MaxLength(PASSKEY_LIMITS.clientData) client_data!: string;
  /** `response.attestationObject` of the browser's answer, in Base64url. */
  @IsString() @MaxLength(PASSKEY_LIMITS.attestation) attestation_object!: string;
}
