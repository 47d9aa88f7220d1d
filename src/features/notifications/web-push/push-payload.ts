import { createCipheriv, createECDH, createHash, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The browser's part of a subscription. */
interface PushKeys {
  /** Uncompressed point on P-256. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;

/** Push services accept bodies of up to 4096 bytes, including header, delimiter and tag. */
const RECORD_BYTES = 4096;
const TAG_BYTES = 16;

/** Largest text that fits into a message. */
export const MAX_PUSH_BYTES = RECORD_BYTES - SALT_BYTES - 4 - 1 - POINT_BYTES - 1 - TAG_BYTES;

/** Terminates the text in the last record. */
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
 * @param own key pair and salt; generated if omitted, as is required outside of tests
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

/** The data that a browser receives. Its service worker turns it into a notification, with the texts of the console. */
export type PushPayload = MessagePayload | { readonly kind: 'test' };

/** A message to be notified of. */
export interface MessagePayload {
  readonly kind: 'message';
  readonly messageId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Name of the sender. */
  readonly sender: string;
  /** Identifies the conversation: a notification replaces the previous one with the same tag. */
  readonly tag: string;
  /** `#channel › topic`; null for a direct message. */
  readonly placeName: string | null;
  /** The start of the text; null if it must not be shown. */
  readonly text: string | null;
  /** The path on this server that opens the message. */
  readonly path: string;
}

/** A conversation. */
type PushPlace =
  | { readonly channelId: number; readonly topic: string }
  /** Its participants without the recipient. */
  | { readonly userIds: readonly number[] };

const SHOWN_CHARACTERS = 200;
const MAX_TAG = 200;

/**
 * The tag of a conversation: the same as in notifications by pages, so that a page and a service worker never show two.
 */
export function pushTag(place: PushPlace): string {
  const tag =
    'userIds' in place ? `d${place.userIds.join()}` : `c${place.channelId} ${place.topic.toLowerCase()}`;
  return tag.length <= MAX_TAG ? tag : createHash('sha256').update(tag).digest('base64url');
}

/** The start of a text, on one line. */
export function shortened(text: string): string {
  const line = text
    .slice(0, 20 * SHOWN_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= SHOWN_CHARACTERS
    ? line
    : `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…`;
}

/** The payload as bytes; omits what would not fit into a push message. */
export function pushBytes(payload: PushPayload): Buffer {
  const shorter: Partial<MessagePayload>[] = [{}, { path: '/' }, { path: '/', text: null, placeName: null }];
  const forms = shorter.map((change) => Buffer.from(JSON.stringify({ ...payload, ...change })));
  return forms.find(({ length }) => length <= MAX_PUSH_BYTES) ?? forms.at(-1)!;
}
