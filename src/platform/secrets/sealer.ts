import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DerivedKeys, type KeyPurpose } from './server-secret';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals what is kept where others could read or change it (AES-256-GCM): only this server, under the secret in use or the
 * one before it, opens it again, and only for the same purpose.
 */
@Injectable()
export class Sealer {
  constructor(private readonly keys: DerivedKeys) {}

  /** @returns Base64 of the initialization vector, the sealed text and its tag, fit for a cookie */
  seal(purpose: KeyPurpose, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys.current(purpose), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The text; null where it was changed, or sealed for another purpose or under another secret. */
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
