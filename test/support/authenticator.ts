import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The algorithms of authenticators; the server does not offer the last one. */
export type KeyKind = 'ES256' | 'RS256' | 'EdDSA' | 'ES384';

/** Deviations of an authenticator or a browser from the standard. */
export interface Flaws {
  readonly origin?: string;
  readonly site?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly more?: object;
  readonly flags?: number;
  readonly signCount?: number;
  /** Modifies the signed data. */
  readonly alter?: (data: Buffer) => Buffer;
}

/** Present, and verified. */
const VERIFIED = 0x05;
const HAS_KEY = 0x40;

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** Writes CBOR: numbers, texts, bytes and maps. */
export function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap((entry) => entry.map((part) => cbor(part as number)));
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 0xff]);
}

/** A passkey, with the browser that uses it: it follows WebAuthn unless given flaws. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;
  signCount = 0;

  /** @param origin of the page */
  constructor(
    private readonly origin: string,
    private readonly kind: KeyKind = 'ES256',
  ) {
    const { privateKey, publicKey } = keyPair(kind);
    this.privateKey = privateKey;
    this.coseKey = cbor(coseOf(kind, publicKey.export({ format: 'jwk' })));
  }

  /** Answers `navigator.credentials.create`. */
  make(challenge: string, flaws: Flaws = {}) {
    const flags = flaws.flags ?? VERIFIED + HAS_KEY;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = [Buffer.alloc(16), length, this.id, this.coseKey];
    const data = Buffer.concat([this.dataStart(flags, flaws), ...credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', flaws.alter?.(data) ?? data],
    ]);
    return {
      client_data: text(this.clientData('webauthn.create', challenge, flaws)),
      attestation_object: text(cbor(attestation)),
    };
  }

  /** Answers `navigator.credentials.get`. */
  use(challenge: string, flaws: Flaws = {}) {
    const data = this.dataStart(flaws.flags ?? VERIFIED, flaws);
    const clientData = this.clientData('webauthn.get', challenge, flaws);
    const signed = Buffer.concat([data, sha256(clientData)]);
    const algorithm = this.kind === 'EdDSA' ? null : 'sha256';
    return {
      credential_id: text(this.id),
      client_data: text(clientData),
      authenticator_data: text(flaws.alter?.(data) ?? data),
      signature: text(sign(algorithm, signed, this.privateKey)),
    };
  }

  private dataStart(flags: number, { site, signCount = this.signCount }: Flaws): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(signCount);
    return Buffer.concat([sha256(site ?? new URL(this.origin).hostname), Buffer.from([flags]), counter]);
  }

  private clientData(type: string, challenge: string, flaws: Flaws): Buffer {
    const said = { type: flaws.type ?? type, challenge: flaws.challenge ?? challenge };
    const origin = flaws.origin ?? this.origin;
    return Buffer.from(JSON.stringify({ ...said, origin, crossOrigin: false, ...flaws.more }));
  }
}

function keyPair(kind: KeyKind) {
  if (kind === 'EdDSA') return generateKeyPairSync('ed25519');
  if (kind === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: kind === 'ES256' ? 'P-256' : 'P-384' });
}

function coseOf(kind: KeyKind, jwk: Readonly<Record<string, unknown>>): Map<number, unknown> {
  const bytes = (name: string) => Buffer.from(String(jwk[name]), 'base64url');
  const algorithm = { ES256: -7, RS256: -257, EdDSA: -8, ES384: -35 }[kind];
  if (kind === 'RS256')
    return new Map<number, unknown>([
      [1, 3],
      [3, algorithm],
      [-1, bytes('n')],
      [-2, bytes('e')],
    ]);
  if (kind === 'EdDSA')
    return new Map<number, unknown>([
      [1, 1],
      [3, algorithm],
      [-1, 6],
      [-2, bytes('x')],
    ]);
  const curve = kind === 'ES256' ? 1 : 2;
  return new Map<number, unknown>([
    [1, 2],
    [3, algorithm],
    [-1, curve],
    [-2, bytes('x')],
    [-3, bytes('y')],
  ]);
}
