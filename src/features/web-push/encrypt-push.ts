import { createECDH, type ECDH, hkdfSync, randomBytes, createCipheriv } from 'node:crypto';

/** The browser's side of a subscription. */
export interface PushKeys {
  /** Uncompressed point on P-256. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;

/** Push services take bodies of 4096 bytes; header, delimiter and tag are part of that. */
const RECORD_BYTES = 4096;
const TAG_BYTES = 16;

/** Largest text that fits into a message. */
export const MAX_PUSH_BYTES = RECORD_BYTES - SALT_BYTES - 4 - 1 - POINT_BYTES - 1 - TAG_BYTES;

/** Marks the end of the text in the last record. */
const DELIMITER = Buffer.from([2]);

/** Whether a browser could have sent these keys: a point on the curve and a secret of 16 bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  if (auth.length !== AUTH_BYTES || p256dh.length !== POINT_BYTES || p256dh[0] !== 4) return false;
  const own = createECDH(CURVE);
  own.generateKeys();
  try {
    own.computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message for one browser (RFC 8291), as a single record of `aes128gcm` (RFC 8188).
 * @param own key pair and salt; fresh ones if omitted, as they must be outside tests
 * @throws RangeError if the text is longer than {@link MAX_PUSH_BYTES}
 */
export function encryptPush(
  text: Buffer,
  { p256dh, auth }: PushKeys,
  own: { readonly pair: ECDH; readonly salt: Buffer } = { pair: freshPair(), salt: randomBytes(SALT_BYTES) },
): Buffer {
  if (text.length > MAX_PUSH_BYTES) throw new RangeError('The push message is too long.');
  const publicKey = own.pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]);
  const secret = derive(own.pair.computeSecret(p256dh), auth, info, 32);
  const key = derive(secret, own.salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, own.salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.update(DELIMITER), cipher.final()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(publicKey.length, 4);
  return Buffer.concat([own.salt, sizes, publicKey, sealed, cipher.getAuthTag()]);
}

function freshPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

function derive(secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
