import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { asMap, type CborMap, MalformedCbor, readCbor, readCborMap } from './cbor';

/** COSE algorithm identifiers, in order of preference. */
export const ALGORITHMS = { EdDSA: -8, ES256: -7, RS256: -257 } as const;

/** Maximum length of a credential ID (WebAuthn, level 3). */
const MAX_CREDENTIAL_ID = 1_023;

/** Length of the modulus of RSA keys, in bytes. */
const RSA_BYTES = { min: 256, max: 512 } as const;

const FLAG = { present: 0x01, verified: 0x04, canSync: 0x08, isSynced: 0x10, key: 0x40, extensions: 0x80 };

/** Data from an authenticator whose signature or origin has not been verified yet. */
export interface AuthenticatorData {
  /** SHA-256 of the host of the passkey. */
  readonly siteHash: Buffer;
  /** Whether the person was present and verified by PIN, fingerprint or face. */
  readonly isVerified: boolean;
  readonly signCount: number;
  /** Set only when a passkey is created. */
  readonly made: NewCredential | null;
}

/** A passkey that was just created. */
export interface NewCredential {
  readonly id: Buffer;
  readonly algorithm: number;
  readonly key: KeyObject;
}

/** The data in the attestation of a new passkey; the attestation statement itself is ignored. @throws MalformedCbor */
export function dataOfAttestation(bytes: Buffer): AuthenticatorData {
  const data = readCborMap(bytes).get('authData');
  if (!Buffer.isBuffer(data)) throw new MalformedCbor('no data of the authenticator');
  return readAuthenticatorData(data);
}

/** @throws MalformedCbor */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData {
  if (bytes.length < 37) throw new MalformedCbor('cut off');
  const flags = bytes[32]!;
  const has = (flag: number) => (flags & flag) !== 0;
  if (has(FLAG.isSynced) && !has(FLAG.canSync)) throw new MalformedCbor('flags that contradict each other');
  const { made, end } = has(FLAG.key) ? readCredential(bytes) : { made: null, end: 37 };
  const rest = has(FLAG.extensions) ? extensionsEnd(bytes, end) : end;
  if (rest !== bytes.length) throw new MalformedCbor('bytes after the end');
  return {
    siteHash: bytes.subarray(0, 32),
    isVerified: has(FLAG.present) && has(FLAG.verified),
    signCount: bytes.readUInt32BE(33),
    made,
  };
}

/** Whether the signature was made with the private key. */
export function isSignedBy(
  key: { readonly publicKey: string; readonly algorithm: number },
  signed: Buffer,
  signature: Buffer,
): boolean {
  const publicKey = createPublicKey({
    key: Buffer.from(key.publicKey, 'base64url'),
    format: 'der',
    type: 'spki',
  });
  return verify(key.algorithm === ALGORITHMS.EdDSA ? null : 'sha256', signed, publicKey, signature);
}

/** SHA-256, as used for hosts and client data. */
export function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function readCredential(bytes: Buffer): { readonly made: NewCredential; readonly end: number } {
  if (bytes.length < 55) throw new MalformedCbor('cut off');
  const length = bytes.readUInt16BE(53);
  const keyStart = 55 + length;
  if (length === 0 || length > MAX_CREDENTIAL_ID || keyStart > bytes.length) {
    throw new MalformedCbor('an ID of a wrong length');
  }
  const { item, end } = readCbor(bytes, keyStart);
  return { made: { id: bytes.subarray(55, keyStart), ...keyIn(asMap(item)) }, end };
}

function extensionsEnd(bytes: Buffer, start: number): number {
  const { item, end } = readCbor(bytes, start);
  asMap(item);
  return end;
}

/** Parses a key in COSE format (RFC 9053), for the three algorithms only. */
function keyIn(cose: CborMap): Pick<NewCredential, 'algorithm' | 'key'> {
  const algorithm = cose.get(3);
  const jwk = jwkOf(cose, algorithm);
  if (typeof algorithm !== 'number' || !jwk) throw new MalformedCbor('an algorithm that is not offered');
  try {
    // Also fails for points that are not on the curve.
    return { algorithm, key: createPublicKey({ key: jwk, format: 'jwk' }) };
  } catch {
    throw new MalformedCbor('no key');
  }
}

function jwkOf(cose: CborMap, algorithm: unknown): JsonWebKey | null {
  const [kind, first] = [cose.get(1), cose.get(-1)];
  if (algorithm === ALGORITHMS.ES256 && kind === 2 && first === 1) {
    return { kty: 'EC', crv: 'P-256', x: text(cose, -2, 32), y: text(cose, -3, 32) };
  }
  if (algorithm === ALGORITHMS.EdDSA && kind === 1 && first === 6) {
    return { kty: 'OKP', crv: 'Ed25519', x: text(cose, -2, 32) };
  }
  if (algorithm === ALGORITHMS.RS256 && kind === 3) {
    const e = cose.get(-2);
    if (!Buffer.isBuffer(e) || !e.equals(Buffer.from([1, 0, 1]))) return null;
    return { kty: 'RSA', n: text(cose, -1, RSA_BYTES.min, RSA_BYTES.max), e: 'AQAB' };
  }
  return null;
}

function text(cose: CborMap, key: number, min: number, max = min): string {
  const bytes = cose.get(key);
  if (!Buffer.isBuffer(bytes) || bytes.length < min || bytes.length > max) {
    throw new MalformedCbor('a part of a key of a wrong length');
  }
  return bytes.toString('base64url');
}
