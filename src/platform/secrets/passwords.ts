import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { TooManyPasswordChecks } from './secrets.errors';
import { Semaphore } from '../semaphore';

/** Password requirements; lengths in characters. */
export const PASSWORD_RULES = {
  minLength: 8,
  /** To hash megabytes would keep others waiting. */
  maxLength: 4096,
  minGuesses: 10_000,
} as const;

/**
 * Characters that are rated: a password whose start is strong is strong, and most need no longer estimate, whose time grows faster
 * than the length.
 */
const RATED_LENGTHS = [24, 100];

/**
 * Whether a password is acceptable: long enough, in no list of passwords that others lost, and far enough from common ones,
 * patterns and dates.
 * @param names of the account and where it is: a password has two letters more than them and digits
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

/** A name as a whole, and its words; shorter ones are in many good passwords. */
function wordsOf(name: string): string[] {
  const words = [plainOf(name), ...name.split(/[^\p{L}\p{N}]+/u).map(plainOf)];
  return words.filter((word) => word.length > 2);
}

/** Letters and digits alone, without case. */
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
  // Most of these have a rank above the number of guesses that is asked for.
  const lost = new Set<string | number>(common.dictionary['passwords']);
  loadedEstimator = (password) => (lost.has(password.toLowerCase()) ? 0 : zxcvbn(password).guesses);
  return loadedEstimator;
}

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
  private readonly semaphore = new Semaphore(RUNNING_AT_ONCE);
  private acceptsWeak = false;

  /** Takes every password from now on: for servers that hold nothing worth guarding. */
  acceptWeak(): void {
    this.acceptsWeak = true;
  }

  /** Whether a password may be chosen here. @param names of the account and where it is */
  accepts(password: string, names: readonly string[] = []): boolean {
    return this.acceptsWeak || isStrongPassword(password, names);
  }

  /**
   * A salted hash that carries its own parameters. Slow on purpose: call it before a transaction.
   * @throws {TooManyPasswordChecks}
   */
  hash(password: string): Promise<string> {
    return this.limited(() => hash(password, COST));
  }

  /**
   * Whether a password belongs to a hash.
   * @throws {TooManyPasswordChecks}
   */
  verify(hashed: string, password: string): Promise<boolean> {
    return this.limited(() => verify(hashed, password));
  }

  /**
   * The same for a person who signs in.
   * @param hashed null for an account that does not exist or has no password: costs the same, and is false
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
