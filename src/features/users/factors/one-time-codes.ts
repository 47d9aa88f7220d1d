import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../../platform/secrets/secret-links';

/** Seconds for which a code is shown (RFC 6238). */
const STEP_SECONDS = 30;

const DIGITS = 6;
const SEED_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What app and server share: 160 random bits in Base 32, as people type them where they cannot scan. */
export function newSeed(): string {
  const bits = [...randomBytes(SEED_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => ALPHABET[parseInt(five, 2)]!);
}

/** The address that apps read from a picture or a link. */
export function seedAddress(seed: string, { issuer, account }: { issuer: string; account: string }): string {
  const query = `secret=${seed}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

/** The code of a step of time. */
export function codeAt(seed: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(seed)).update(counter).digest();
  const offset = digest[digest.length - 1]! & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step of time to which a code belongs; null for a wrong one. One step before and after counts as well, as clocks
 * differ and people type slowly.
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
