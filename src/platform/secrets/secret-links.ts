import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DerivedKeys, type KeyPurpose } from './server-secret';

/** Compares a text with the secret in constant time, which reveals nothing about it, not even its length. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** 80 bits, so that no two of them ever collide. */
const NONCE_BYTES = 10;

/** 120 bits, infeasible to guess. */
const SIGNATURE_BYTES = 15;

/** Length of the random value in characters. */
export const NONCE_LENGTH = (NONCE_BYTES * 8) / 5;

/** Length of a signature in characters. */
export const SIGNATURE_LENGTH = (SIGNATURE_BYTES * 8) / 5;

/**
 * The secret part of capability links. It is derived from the link's subject rather than stored, so that read access to
 * the database is not enough to use a link.
 */
@Injectable()
export class SecretLinks {
  constructor(private readonly keys: DerivedKeys) {}

  /** A random value for a new link, in lower-case letters and digits. */
  static newNonce(): string {
    return encode(randomBytes(NONCE_BYTES));
  }

  /** The secret part, in lower-case letters and digits. @param about the subject of the link */
  signature(purpose: KeyPurpose, about: string): string {
    return signed(this.keys.current(purpose), about);
  }

  /** Whether the given text is the secret part, under the current or the previous secret. */
  matches(purpose: KeyPurpose, about: string, given: string): boolean {
    if (isSameSecret(given, this.signature(purpose, about))) return true;
    const previous = this.keys.previous(purpose);
    return previous !== null && isSameSecret(given, signed(previous, about));
  }
}

function signed(key: Buffer, about: string): string {
  return encode(createHmac('sha256', key).update(about).digest().subarray(0, SIGNATURE_BYTES));
}

/** Base 32 in lower case; five bytes are eight characters. */
function encode(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return text;
}

const PURPOSE = 'csrf-tokens';

/**
 * The token that a page of this server sends with its session cookie. Other sites can make browsers send the cookie,
 * but cannot read the token. It is derived from the session: it is the same on all nodes, does not change, and ends
 * with the session.
 */
@Injectable()
export class CsrfTokens {
  constructor(private readonly secrets: SecretLinks) {}

  /** @param sessionId ID of the session, as in the cookie */
  tokenFor(sessionId: string): string {
    return this.secrets.signature(PURPOSE, sessionId);
  }

  /** Whether a token belongs to the session, under the current or the previous secret. */
  matches(sessionId: string, given: string): boolean {
    return this.secrets.matches(PURPOSE, sessionId, given);
  }
}
