import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { isStrongPassword } from './password-strength';
import { TooManyPasswordChecks, WeakPassword } from './secrets.errors';

/** argon2id with more memory than OWASP's minimum of 19 MiB; about 20 ms of another thread. */
const COST = { memoryCost: 32 * 1024, timeCost: 2, parallelism: 1 };
/** Each run holds its 32 MiB; the thread pool has four threads, and files need some of them too. */
const RUNNING_AT_ONCE = Math.min(3, Math.max(2, availableParallelism() - 1));
/** A well-formed hash that no password has. */
const NOBODYS_HASH = [
  '$argon2id$v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  randomBytes(16).toString('base64').replaceAll('=', ''),
  randomBytes(32).toString('base64').replaceAll('=', ''),
].join('$');
/** About as many as are done within five seconds on two cores. */
const WAITING_AT_MOST = 500;

/** Passwords of people: whether they are good enough, their hashes, and checking them. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws {WeakPassword} */
  requireStrong(password: string): void {
    if (!isStrongPassword(password)) throw new WeakPassword();
  }

  /**
   * A salted hash that carries its own parameters. Slow on purpose: call it before a transaction.
   * @throws {TooManyPasswordChecks}
   */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, COST));
  }

  /**
   * Whether a password belongs to a hash.
   * @throws {TooManyPasswordChecks}
   */
  verify(hashed: string, password: string): Promise<boolean> {
    return this.inTurn(() => verify(hashed, password));
  }

  /**
   * The same for somebody who claims to be somebody.
   * @param hashed null for an account that does not exist or has no password: costs the same, and is false
   */
  async verifyAny(hashed: string | null, password: string): Promise<boolean> {
    const matches = await this.verify(hashed ?? NOBODYS_HASH, password);
    return matches && hashed !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= WAITING_AT_MOST) throw new TooManyPasswordChecks();
    if (this.running < RUNNING_AT_ONCE) this.running++;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
