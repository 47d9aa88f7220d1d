import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from './server-secret';

/** What a key is for. A key for one purpose tells nothing about another. */
export type KeyPurpose = 'access-tokens' | 'api-keys' | 'fingerprint' | 'login-failures' | 'temporary-links';

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

/** What a database remembers of the secret it was made with; tells nothing about the secret. */
export function fingerprintOf(secret: string): string {
  return derive(secret, 'fingerprint').toString('hex');
}

function derive(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32));
}
