import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { codeOf, StartRefused } from '../config/start-refused';
import { BreachedPasswordsUnreadable } from './secrets.errors';

/** Bytes that contain at least one whole line, wherever they begin. */
const READ_BYTES = 256;

const SAMPLES = 100;

const NOT_HASHES = 'does not consist of lines with SHA-1 hashes';

/** A hash and how often it was found. */
const LINE = /^[0-9A-F]{40}(?::\d{1,12})?$/i;

/** A file of passwords known from breaches, as sorted SHA-1 hashes. */
export class BreachedPasswords {
  private readonly logger = new Logger(BreachedPasswords.name);

  private constructor(private readonly path: string) {}

  /** @throws {StartRefused} if the file cannot be read, or contains anything else, as far as samples show */
  static in(path: string): BreachedPasswords {
    const passwords = new BreachedPasswords(path);
    passwords.check();
    return passwords;
  }

  /**
   * Finds a password by bisection: a file of 40 GB takes 35 short reads. Opens the file each time, so that it can be
   * replaced.
   * @throws BreachedPasswordsUnreadable
   */
  has(password: string): boolean {
    try {
      return this.find(createHash('sha1').update(password).digest('hex').toUpperCase());
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      this.logger.error(error.message);
      throw new BreachedPasswordsUnreadable();
    }
  }

  private find(hash: string): boolean {
    return this.opened((descriptor, size) => {
      // The line sought begins at or after `low`, and before `high`.
      let [low, high] = [0, size];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const line = this.lineFrom(descriptor, middle);
        if (line?.hash === hash) return true;
        if (line !== null && line.start < high && line.hash < hash) low = line.end;
        else high = middle;
      }
      return false;
    });
  }

  private check(): void {
    this.opened((descriptor, size) => {
      if (size === 0) throw this.refusal('is empty');
      let previous = '';
      for (let sample = 0; sample < SAMPLES; sample++) {
        const { hash } = this.lineFrom(descriptor, Math.floor((size * sample) / SAMPLES)) ?? {
          hash: previous,
        };
        if (hash < previous) throw this.refusal('is not sorted by hash');
        previous = hash;
      }
    });
  }

  /** @throws {StartRefused} if the file cannot be read */
  private opened<T>(work: (descriptor: number, size: number) => T): T {
    let descriptor: number | null = null;
    try {
      descriptor = openSync(this.path, 'r');
      return work(descriptor, fstatSync(descriptor).size);
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      throw this.refusal(`cannot be read (${codeOf(error)})`);
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  }

  /** The first line that begins at or after a position; null at the end of the file. */
  private lineFrom(descriptor: number, position: number) {
    // From the byte before, which is a line break if a line begins here.
    const from = Math.max(0, position - 1);
    const bytes = Buffer.alloc(READ_BYTES);
    const text = bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, READ_BYTES, from));
    const start = position === 0 ? 0 : text.indexOf('\n') + 1;
    const isLast = text.length < READ_BYTES;
    if (isLast && (start === text.length || (start === 0 && position > 0))) return null;
    const [line = ''] = text.slice(start).split('\n', 1);
    if (!LINE.test(line.trimEnd())) throw this.refusal(NOT_HASHES);
    return {
      start: from + start,
      end: from + start + line.length + 1,
      hash: line.slice(0, 40).toUpperCase(),
    };
  }

  private refusal(problem: string): StartRefused {
    return new StartRefused(`BREACHED_PASSWORDS_FILE names ${this.path}, which ${problem}.`);
  }
}
