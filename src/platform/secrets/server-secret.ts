import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { makeUnlessThere, readFormerSecret, readSecret } from './secret-file';
import type { Config } from '../config/config';
import type { Transaction } from '../database/transaction.service';
import { defineHook } from '../hooks/hook';

/**
 * The secret from which all keys are derived. It comes from `SECRET_KEY`, or from a file in the data folder that only
 * its owner can read, created on the first start. During a rotation, the previous secret is in `SECRET_KEY_PREVIOUS` or
 * in a file beside it.
 */
export class ServerSecret {
  private constructor(
    readonly current: string,
    /** The secret before a rotation, which is accepted as well; null outside one. */
    readonly previous: string | null,
    /** File that the secret was read from; null if it came from the environment. */
    readonly file: string | null,
    /** Whether this start created the file. */
    readonly isNew: boolean,
  ) {}

  /** @throws {SecretUnavailable} */
  static open(config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>): ServerSecret {
    if (config.secretKey !== null) {
      return new ServerSecret(config.secretKey, config.secretKeyPrevious, null, false);
    }
    const file = join(config.dataDir, 'secret');
    const isNew = makeUnlessThere(file);
    const current = readSecret(file);
    return new ServerSecret(current, config.secretKeyPrevious ?? formerIn(file, current), file, isNew);
  }

  /** Removes a file created by this start, for a start that fails. */
  discardIfNew(): void {
    if (this.isNew && this.file) fs.rmSync(this.file, { force: true });
  }
}

/** Null outside of a rotation, and after one that was interrupted before the new secret was in place. */
function formerIn(file: string, current: string): string | null {
  const former = readFormerSecret(file);
  return former === current ? null : former;
}

/** Purpose of a key. A key for one purpose reveals nothing about another. */
export type KeyPurpose =
  | 'access-tokens'
  | 'api-keys'
  | 'csrf-tokens'
  | 'fingerprint'
  | 'first-sign-in'
  | 'id-tokens'
  | 'invitations'
  | 'login-failures'
  | 'named-api-keys'
  | 'passkey-challenges'
  | 'passkey-handles'
  | 'password-resets'
  | 'saml-answers'
  | 'saml-requests'
  | 'scim-keys'
  | 'second-factors'
  | 'sign-in-attempts'
  | 'sign-in-challenges'
  | 'temporary-links'
  | 'unsubscriptions'
  | 'web-push';

/** Keys of 256 bits, derived with HKDF-SHA-256 from the server secret, one per purpose. */
@Injectable()
export class DerivedKeys {
  constructor(private readonly secret: ServerSecret) {}

  current(purpose: KeyPurpose): Buffer {
    return derive(this.secret.current, purpose);
  }

  /** The same key under the secret before a rotation; null outside one. */
  previous(purpose: KeyPurpose): Buffer | null {
    return this.secret.previous === null ? null : derive(this.secret.previous, purpose);
  }
}

/** The database's record of its secret; reveals nothing about it. */
export function fingerprintOf(secret: string): string {
  return derive(secret, 'fingerprint').toString('hex');
}

function derive(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32));
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts data that others could read or change where it is kept (AES-256-GCM): only this server can decrypt it, with
 * the current or the previous secret, and only for the same purpose.
 */
@Injectable()
export class Sealer {
  constructor(private readonly keys: DerivedKeys) {}

  /** @returns Base64 of the initialization vector, the ciphertext and its tag, suitable for a cookie */
  seal(purpose: KeyPurpose, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys.current(purpose), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The text; null if it was changed, or sealed for another purpose or with another secret. */
  open(purpose: KeyPurpose, sealed: string): string | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return null;
    const previous = this.keys.previous(purpose);
    return opened(this.keys.current(purpose), bytes) ?? (previous && opened(previous, bytes));
  }
}

function opened(key: Buffer, bytes: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The server runs with a different secret than before; called in the transaction that records it. */
export const secretChanged = defineHook<[tx: Transaction]>('secretChanged');
