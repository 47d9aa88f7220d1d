import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DerivedKeys } from './server-secret';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here up would favor the first letters, so they are skipped. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);
const KEY_LENGTH = 32;
/** Maximum number of keys in memory; each takes about 200 bytes. */
const REMEMBERED_KEYS = 20_000;

/**
 * API keys are not stored but derived from a random value, their nonce. Read access to the database is not enough to
 * sign in, and a new nonce revokes the old key immediately.
 */
class KeysFromNonces {
  private readonly currentKey: Buffer;
  private readonly previousKey: Buffer | null;
  private readonly remembered = new Map<string, string>();
  /** Nonces whose key under the previous secret was used since this node started. */
  readonly formerUses = new Set<string>();

  constructor(keys: DerivedKeys, purpose: 'api-keys' | 'named-api-keys') {
    this.currentKey = keys.current(purpose);
    this.previousKey = keys.previous(purpose);
  }

  /** A nonce for a new or replaced key: 128 random bits in hex. */
  static newNonce(): string {
    return randomBytes(16).toString('hex');
  }

  /** The key for this nonce: 32 letters and digits. */
  apiKeyFor(nonce: string): string {
    const known = this.remembered.get(nonce);
    if (known !== undefined) return known;
    const key = encodeKey(this.currentKey, nonce);
    if (this.remembered.size >= REMEMBERED_KEYS) this.remembered.clear();
    this.remembered.set(nonce, key);
    return key;
  }

  /** All keys that {@link matches} accepts for this nonce. */
  acceptedFor(nonce: string): string[] {
    const current = this.apiKeyFor(nonce);
    return this.previousKey === null ? [current] : [current, encodeKey(this.previousKey, nonce)];
  }

  /** Whether the given text is the key for this nonce, under the current or the previous secret. */
  matches(nonce: string, given: string): boolean {
    if (equalInConstantTime(this.apiKeyFor(nonce), given)) return true;
    if (this.previousKey === null || !equalInConstantTime(encodeKey(this.previousKey, nonce), given))
      return false;
    this.formerUses.add(nonce);
    return true;
  }
}

/** The main API key of each account, with all of its rights. */
@Injectable()
export class ApiKeys extends KeysFromNonces {
  constructor(keys: DerivedKeys) {
    super(keys, 'api-keys');
  }
}

/** Named API keys with scopes, which accounts can have in addition: the same nonce yields a different key. */
@Injectable()
export class NamedApiKeys extends KeysFromNonces {
  constructor(keys: DerivedKeys) {
    super(keys, 'named-api-keys');
  }
}

/** HMAC-SHA-256 over the nonce and a block number, as many blocks as it takes to get 32 unbiased letters. */
function encodeKey(key: Buffer, nonce: string): string {
  let text = '';
  for (let block = 0; ; block++) {
    for (const byte of createHmac('sha256', key).update(`${nonce}.${block}`).digest()) {
      if (byte < UNBIASED_BELOW) text += ALPHABET[byte % ALPHABET.length];
      if (text.length === KEY_LENGTH) return text;
    }
  }
}

function equalInConstantTime(expected: string, given: string): boolean {
  const left = Buffer.from(expected);
  const right = Buffer.from(given);
  return left.length === right.length && timingSafeEqual(left, right);
}
