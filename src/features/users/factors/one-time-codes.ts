import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../../platform/secrets/secret-links';

/** How many seconds a code is shown (RFC 6238). */
const STEP_SECONDS = 30;

const DIGITS = 6;
const SEED_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The secret shared by app and server: 160 random bits in Base 32, for people to type if they cannot scan. */
export function newSeed(): string {
  const bits = [...randomBytes(SEED_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => ALPHABET[parseInt(five, 2)]!);
}

/** The URL that apps read from a QR code or a link. */
export function seedAddress(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  const query = `secret=${seed}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

/** The code of a time step. */
export function codeAt(seed: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(seed)).update(counter).digest();
  const offset = digest[digest.length - 1]! & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The time step of a code; null for a wrong code. Accepts one step before and after, because clocks differ and people
 * type slowly.
 */
export function stepOf(seed: string, code: string, nowSeconds: number): number | null {
  const now = Math.floor(nowSeconds / STEP_SECONDS);
  const steps = [now - 1, now, now + 1].filter((step) => isSameSecret(code, codeAt(seed, step)));
  return steps.at(-1) ?? null;
}

function bytesOf(seed: string): Buffer {
  const bits = [...seed].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
