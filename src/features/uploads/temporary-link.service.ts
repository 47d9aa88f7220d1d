import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DerivedKeys } from '../../platform/secrets/derived-keys';
import { InvalidTemporaryLink } from './uploads.errors';

const VALID_SECONDS = 60;

/** Attachment ID and time of expiry in base 36, then the signature. */
const TOKEN = /^(([0-9a-z]{1,8})-([0-9a-z]{1,8}))-([\w-]{43})$/;

/**
 * Tokens that open one attachment for a minute to whoever has them, for players and viewers that cannot sign in.
 * Nothing is stored: the server signs what it grants.
 */
@Injectable()
export class TemporaryLinkService {
  private readonly key: Buffer;

  constructor(
    keys: DerivedKeys,
    private readonly clock: Clock,
  ) {
    this.key = keys.current('temporary-links');
  }

  tokenFor(attachmentId: number): string {
    const expiresAt = this.clock.nowSeconds() + VALID_SECONDS;
    const grant = `${attachmentId.toString(36)}-${expiresAt.toString(36)}`;
    return `${grant}-${this.sign(grant).toString('base64url')}`;
  }

  /** @returns the ID of the attachment. @throws InvalidTemporaryLink for what is forged or too old */
  attachmentIdOf(token: string): number {
    const [, grant, id, expiresAt, signature] = TOKEN.exec(token) ?? [];
    if (!grant || !id || !expiresAt || !signature) throw new InvalidTemporaryLink();
    const isGenuine = timingSafeEqual(this.sign(grant), Buffer.from(signature, 'base64url'));
    if (!isGenuine || this.clock.nowSeconds() >= Number.parseInt(expiresAt, 36)) {
      throw new InvalidTemporaryLink();
    }
    return Number.parseInt(id, 36);
  }

  private sign(grant: string): Buffer {
    return createHmac('sha256', this.key).update(grant).digest();
  }
}
