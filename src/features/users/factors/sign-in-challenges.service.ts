import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Sealer } from '../../../platform/secrets/server-secret';

const PURPOSE = 'sign-in-challenges';
const LIFETIME_SECONDS = 300;
const MAX_LENGTH = 1_000;

/** A sign-in whose password was correct. */
export interface Challenge {
  readonly userId: number;
  /** Of the password that was right: with another one, everything begins anew. */
  readonly password: string;
  /** UNIX seconds. */
  readonly startedAt: number;
}

/** What people hold between password and code: sealed, so that any node goes on, and good for five minutes. */
@Injectable()
export class SignInChallenges {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  make(userId: number, passwordHash: string | null): string {
    const startedAt = this.clock.nowSeconds();
    const challenge: Challenge = { userId, password: digest(passwordHash), startedAt };
    return this.sealer.seal(PURPOSE, JSON.stringify(challenge));
  }

  /** Null for what this server did not make, or too long ago. */
  read(text: string): Challenge | null {
    const opened = text.length > MAX_LENGTH ? null : this.sealer.open(PURPOSE, text);
    if (opened === null) return null;
    const challenge = JSON.parse(opened) as Challenge;
    const isOver = challenge.startedAt + LIFETIME_SECONDS <= this.clock.nowSeconds();
    return isOver || typeof challenge.password !== 'string' ? null : challenge;
  }

  /** Whether the password is still the one that was right. */
  isFor({ password }: Challenge, passwordHash: string | null): boolean {
    return password === digest(passwordHash);
  }
}

/** People of a directory have no password here. */
function digest(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
