import { ApiError, refusal } from '../../../platform/errors/api-error';
import { NotAuthenticated } from '../../../platform/errors/companion.errors';

/** Longest texts of an authenticator that are looked at, in Base64url. */
export const PASSKEY_LIMITS = {
  name: 60,
  state: 1_000,
  credentialId: 1_364,
  clientData: 8_000,
  authenticatorData: 4_000,
  signature: 1_400,
  attestation: 20_000,
} as const;

/** What a browser answers when a passkey signs: the fields of its answer, in Base64url. */
export interface PasskeyProof {
  /** From the challenge that was answered. */
  readonly state: string;
  readonly credentialId: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** What a browser answers when a passkey is made. */
export interface NewPasskey {
  readonly name: string;
  readonly state: string;
  readonly clientData: string;
  readonly attestationObject: string;
}

/** Options of WebAuthn to make a passkey. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  readonly excludeCredentials: readonly { readonly type: 'public-key'; readonly id: string }[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
  /** Milliseconds. */
  readonly timeout: number;
}

/** Why a passkey was refused, as the audit log names it. */
export type PasskeyRefusal = 'wrong_passkey' | 'passkey_copied';

/** The passkey of someone who signs in is not accepted: unknown, for another site, or its challenge is over. */
export class WrongPasskey extends NotAuthenticated {
  /** @param reason for the audit log; strangers are not told */
  constructor(readonly reason: PasskeyRefusal = 'wrong_passkey') {
    super('This passkey was not accepted');
  }
}

/** The same in a session, which goes on. */
export class PasskeyRefused extends refusal('This passkey was not accepted.') {}

/** Browsers offer passkeys for host names over TLS alone. */
export class NoPasskeysHere extends refusal(
  'Passkeys need a server whose EXTERNAL_URL has a host name and starts with https.',
  { companion: { status: 409 } },
) {}

/** The authenticator has a passkey of this or another account already. */
export class PasskeyKnown extends refusal('This passkey was added before.', { companion: { status: 409 } }) {}

/** One person has no more passkeys than anybody needs. */
export class TooManyPasskeys extends ApiError {
  constructor(maximum: number) {
    super(`You can have ${maximum} passkeys. Remove one first.`, { companion: { status: 409 } });
  }
}

/** The caller has no such passkey. */
export class NoSuchPasskey extends refusal('No such passkey', { code: 'NOT_FOUND', status: 404 }) {}
