import { randomBytes, hkdfSync } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config';
import { codeOf, StartRefused } from '../config/start-refused';
import { isDiskFull } from '../errors/outages';
import { Injectable } from '@nestjs/common';

/** The secret cannot be read or made; the message says what to do. */
export class SecretUnavailable extends StartRefused {}

/**
 * The secret everything secret is derived from. It comes from `SECRET_KEY`, or else from a file in the
 * data folder that only its owner can read, made at the first start.
 */
export class ServerSecret {
  private constructor(
    readonly current: string,
    /** The secret before a rotation, accepted as well; null outside one. */
    readonly previous: string | null,
    /** File the secret was read from; null where it came from the environment. */
    readonly file: string | null,
    /** Whether this start made the file. */
    readonly isNew: boolean,
  ) {}

  /** @throws {SecretUnavailable} */
  static open(config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>): ServerSecret {
    if (config.secretKey !== null) {
      return new ServerSecret(config.secretKey, config.secretKeyPrevious, null, false);
    }
    const file = join(config.dataDir, 'secret');
    const isNew = makeUnlessThere(file);
    return new ServerSecret(readSecret(file), config.secretKeyPrevious, file, isNew);
  }

  /** Takes back a file that this start made, for a start that fails over it. */
  discardIfNew(): void {
    if (this.isNew && this.file) fs.rmSync(this.file, { force: true });
  }
}

/** False where the file was there, or another process was first. */
function makeUnlessThere(file: string): boolean {
  if (fs.existsSync(file)) return false;
  try {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, `${randomBytes(32).toString('base64url')}\n`);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    const remedy = isDiskFull(error) ? 'Free some disk space' : 'Make the folder writable, or set SECRET_KEY';
    throw new SecretUnavailable(`Cannot write the secret to ${file} (${codeOf(error)}). ${remedy}.`);
  }
}

/** Writes a temporary file and links it to its name, so that readers never see half of it. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    fs.writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    fs.linkSync(draft, file);
    flushFolder(dirname(file));
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function readSecret(file: string): string {
  try {
    const secret = fs.readFileSync(file, 'utf8').trim();
    closeToOthers(file);
    if (secret.length >= 32) return secret;
  } catch (error) {
    throw new SecretUnavailable(`Cannot read the secret in ${file} (${codeOf(error)}).`);
  }
  throw new SecretUnavailable(
    `The secret in ${file} is shorter than 32 characters. Restore the file from a backup.`,
  );
}

/** A restored backup may have lost the mode. If we may not change it, another user owns the file on purpose. */
function closeToOthers(file: string): void {
  try {
    if (fs.statSync(file).mode & 0o077) fs.chmodSync(file, 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EROFS') throw error;
  }
}

/** So that a power cut cannot take a new file away again; Windows opens no folders. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

/** What a key is for. A key for one purpose tells nothing about another. */
export type KeyPurpose =
  | 'access-tokens'
  | 'api-keys'
  | 'csrf-tokens'
  | 'fingerprint'
  | 'first-sign-in'
  | 'invitations'
  | 'login-failures'
  | 'named-api-keys'
  | 'password-resets'
  | 'scim-keys'
  | 'second-factors'
  | 'sign-in-attempts'
  | 'sign-in-challenges'
  | 'temporary-links'
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

/** What a database remembers of the secret it was made with; tells nothing about the secret. */
export function fingerprintOf(secret: string): string {
  return derive(secret, 'fingerprint').toString('hex');
}

function derive(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `parley ${purpose}`, 32));
}
