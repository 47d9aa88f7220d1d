import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { BreachedPasswords } from './breached-passwords';
import { TooManyPasswordChecks } from './secrets.errors';
import { Semaphore } from '../semaphore';

/** Password requirements; lengths in characters. */
export const PASSWORD_RULES = {
  minLength: 8,
  /** Hashing megabytes would delay other callers. */
  maxLength: 4096,
  minGuesses: 10_000,
} as const;

/**
 * Numbers of characters that are rated: a password with a strong beginning is strong, and most need no longer estimate,
 * whose time grows faster than the length.
 */
const RATED_LENGTHS = [24, 100];

/**
 * Whether a password is acceptable: long enough, not in a list of leaked passwords, and different enough from common
 * ones, patterns and dates.
 * @param names of the account and its organization: apart from them and digits, a password needs at least two more
 *   letters
 */
export function isStrongPassword(password: string, names: readonly string[] = []): boolean {
  const characters = Array.from(password);
  if (characters.length < PASSWORD_RULES.minLength) return false;
  const plain = plainOf(password.slice(0, RATED_LENGTHS[1]));
  const words = ['parley', ...names].flatMap(wordsOf).sort((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  if (rest !== plain && !/\p{L}.*\p{L}/u.test(rest)) return false;
  const guessesFor = estimator();
  return RATED_LENGTHS.some(
    (length) => guessesFor(characters.slice(0, length).join('')) >= PASSWORD_RULES.minGuesses,
  );
}

/** A name as a whole, and its words; shorter ones occur in many good passwords. */
function wordsOf(name: string): string[] {
  const words = [plainOf(name), ...name.split(/[^\p{L}\p{N}]+/u).map(plainOf)];
  return words.filter((word) => word.length > 2);
}

/** Lower-case letters and digits only. */
function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

let loadedEstimator: ((password: string) => number) | undefined;

/** Loaded when the first password is set: the dictionaries take 100 ms and tens of megabytes. */
function estimator(): (password: string) => number {
  if (loadedEstimator) return loadedEstimator;
  /* eslint-disable @typescript-eslint/no-require-imports -- an import at the top would load it at start */
  const { zxcvbn, zxcvbnOptions } = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
  const common = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  /* eslint-enable @typescript-eslint/no-require-imports -- everything below is loaded */
  zxcvbnOptions.setOptions({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  // The rank of most of these exceeds the required number of guesses.
  const lost = new Set<string | number>(common.dictionary['passwords']);
  loadedEstimator = (password) => (lost.has(password.toLowerCase()) ? 0 : zxcvbn(password).guesses);
  return loadedEstimator;
}

/** argon2id with more memory than OWASP's minimum of 19 MiB; takes about 20 ms on another thread. */
const COST = { memoryCost: 32 * 1024, timeCost: 2, parallelism: 1 };
/** Each run uses its 32 MiB; the thread pool has four threads, and file access needs some of them too. */
const RUNNING_AT_ONCE = Math.min(3, Math.max(2, availableParallelism() - 1));
/** A well-formed hash that matches no password. */
const NOBODYS_HASH = [
  '$argon2id$v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  randomBytes(16).toString('base64').replaceAll('=', ''),
  randomBytes(32).toString('base64').replaceAll('=', ''),
].join('$');
/** About as many as complete within five seconds on two cores. */
const WAITING_AT_MOST = 500;

/** Passwords: strength, hashing and verification. */
@Injectable()
export class Passwords {
  private readonly semaphore = new Semaphore(RUNNING_AT_ONCE);
  private acceptsWeak = false;

  /** @param breached further passwords to refuse */
  constructor(private readonly breached: BreachedPasswords | null = null) {}

  /** Accepts every password from now on: for servers without sensitive data. */
  acceptWeak(): void {
    this.acceptsWeak = true;
  }

  /** Whether a password may be chosen here. @param names of the account and its organization */
  accepts(password: string, names: readonly string[] = []): boolean {
    return this.acceptsWeak || (isStrongPassword(password, names) && !this.breached?.has(password));
  }

  /**
   * A salted hash that includes its parameters. Slow on purpose: call it before a transaction.
   * @throws {TooManyPasswordChecks}
   */
  hash(password: string): Promise<string> {
    return this.limited(() => hash(password, COST));
  }

  /**
   * Whether a password matches a hash.
   * @throws {TooManyPasswordChecks}
   */
  verify(hashed: string, password: string): Promise<boolean> {
    return this.limited(() => verify(hashed, password));
  }

  /**
   * The same at sign-in.
   * @param hashed null for an account that does not exist or has no password: takes the same time and returns false
   */
  async verifyAny(hashed: string | null, password: string): Promise<boolean> {
    const matches = await this.verify(hashed ?? NOBODYS_HASH, password);
    return matches && hashed !== null;
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.semaphore.waitingCount >= WAITING_AT_MOST) throw new TooManyPasswordChecks();
    return this.semaphore.run(work);
  }
}
