import { ApiError, refusal } from '../../../platform/errors/api-error';
import { NotAuthenticated } from '../../../platform/errors/companion.errors';

/** Maximum lengths of an authenticator's fields, in Base64url. */
export const PASSKEY_LIMITS = {
  name: 60,
  state: 1_000,
  credentialId: 1_364,
  clientData: 8_000,
  authenticatorData: 4_000,
  signature: 1_400,
  attestation: 20_000,
} as const;

/** A browser's response after a passkey signed: the fields in Base64url. */
export interface PasskeyProof {
  /** From the answered challenge. */
  readonly state: string;
  readonly credentialId: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** A browser's response after creating a passkey. */
export interface NewPasskey {
  readonly name: string;
  readonly state: string;
  readonly clientData: string;
  readonly attestationObject: string;
}

/** WebAuthn options for creating a passkey. */
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

/** Why a passkey was refused, for the audit log. */
export type PasskeyRefusal = 'wrong_passkey' | 'passkey_copied';

/** The passkey is not accepted for signing in: unknown, for another site, or its challenge expired. */
export class WrongPasskey extends NotAuthenticated {
  /** @param reason for the audit log; not sent to the client */
  constructor(readonly reason: PasskeyRefusal = 'wrong_passkey') {
    super('This passkey was not accepted');
  }
}

/** The passkey is not accepted in a session, which continues. */
export class PasskeyRefused extends refusal('This passkey was not accepted.') {}

/** Browsers support passkeys only for host names over TLS. */
export class NoPasskeysHere extends refusal(
  'Passkeys need a server whose EXTERNAL_URL has a host name and starts with https.',
  { companion: { status: 409 } },
) {}

/** A passkey of this authenticator was already added, to this or another account. */
export class PasskeyKnown extends refusal('This passkey was added before.', { companion: { status: 409 } }) {}

/** The person has reached the limit of passkeys. */
export class TooManyPasskeys extends ApiError {
  constructor(maximum: number) {
    super(`You can have ${maximum} passkeys. Remove one first.`, { companion: { status: 409 } });
  }
}

/** The caller has no such passkey. */
export class NoSuchPasskey extends refusal('No such passkey', { code: 'NOT_FOUND', status: 404 }) {}
