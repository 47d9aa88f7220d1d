import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { ReceivedRequest } from './local-receiver';

/** A browser's keys of a subscription. */
export interface PushReceiverKeys {
  readonly pair: ECDH;
  readonly auth: Buffer;
}

/** The keys of a new subscription. */
export function newReceiver(): PushReceiverKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { pair, auth: randomBytes(16) };
}

/** Decrypts the body of a push message, as browsers do. */
export function decryptPush(body: Buffer, { pair, auth }: PushReceiverKeys): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > body.readUInt32BE(16)) throw new Error('More than one record.');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const derive = (secret: Buffer, with_: Buffer, about: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, with_, about, length));
  const secret = derive(pair.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = text.lastIndexOf(2);
  if (end < 0 || text.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No delimiter.');
  return text.subarray(0, end).toString('utf8');
}

/** Verifies how a request to a push service identifies its sender. @returns its claims */
export function vapidClaims({ headers }: ReceivedRequest, publicKey: string): Record<string, unknown> {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined || key !== publicKey) throw new Error('Not signed with the key of the server.');
  const [header, claims, signature] = token.split('.') as [string, string, string];
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'));
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const options = { key: verifier, dsaEncoding: 'ieee-p1363' as const };
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url')))
    throw new Error('Wrong signature.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
