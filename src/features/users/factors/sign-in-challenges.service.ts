import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Sealer } from '../../../platform/secrets/server-secret';

const PURPOSE = 'sign-in-challenges';
const LIFETIME_SECONDS = 300;
const MAX_LENGTH = 1_000;

/** A sign-in with a correct password that awaits the second factor. */
export interface Challenge {
  readonly userId: number;
  /** Digest of the correct password's hash: the sign-in has to start over after a change. */
  readonly password: string;
  /** UNIX seconds. */
  readonly startedAt: number;
}

/** Challenges between password and code: sealed, so that any node can continue, and valid for five minutes. */
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

  /** Null for texts that this server did not create, or that have expired. */
  read(text: string): Challenge | null {
    const opened = text.length > MAX_LENGTH ? null : this.sealer.open(PURPOSE, text);
    if (opened === null) return null;
    const challenge = JSON.parse(opened) as Challenge;
    const isOver = challenge.startedAt + LIFETIME_SECONDS <= this.clock.nowSeconds();
    return isOver || typeof challenge.password !== 'string' ? null : challenge;
  }

  /** Whether the password has not changed since. */
  isFor({ password }: Challenge, passwordHash: string | null): boolean {
    return password === digest(passwordHash);
  }
}

/** People who sign in through a directory have no password here. */
function digest(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
