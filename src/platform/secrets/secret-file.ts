import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, StartRefused } from '../config/start-refused';
import { isDiskFull } from '../errors/outages';

/** The secret cannot be read or created; the message says what to do. */
export class SecretUnavailable extends StartRefused {}

/** Path of the previous secret during a rotation. */
export const formerFile = (file: string): string => `${file}.previous`;

const newSecret = (): string => `${randomBytes(32).toString('base64url')}\n`;

/** Creates the file. @returns false if it exists, or another process was first @throws {SecretUnavailable} */
export function makeUnlessThere(file: string): boolean {
  if (fs.existsSync(file)) return false;
  try {
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, newSecret());
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    const remedy = isDiskFull(error) ? 'Free some disk space' : 'Make the folder writable, or set SECRET_KEY';
    throw new SecretUnavailable(`Cannot write the secret to ${file} (${codeOf(error)}). ${remedy}.`);
  }
}

/**
 * Writes a new secret to the file and the previous one beside it. If interrupted at any point, it leaves the old or the
 * new secret, and may be run again.
 * @returns false if a rotation is in progress
 * @throws {SecretUnavailable}
 */
export function rotateSecret(file: string): boolean {
  const current = readSecret(file);
  if (readFormerSecret(file) !== null) return false;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    if (!fs.existsSync(formerFile(file))) writeWhole(formerFile(file), `${current}\n`);
    fs.writeFileSync(draft, newSecret(), { flag: 'wx', mode: 0o600, flush: true });
    fs.renameSync(draft, file);
    flushFolder(dirname(file));
    return true;
  } catch (error) {
    fs.rmSync(draft, { force: true });
    // Another process started one at the same time.
    if (codeOf(error) === 'EEXIST') return false;
    throw new SecretUnavailable(`Cannot write a new secret to ${file} (${codeOf(error)}).`);
  }
}

/** Removes the previous secret. @throws {SecretUnavailable} */
export function forgetFormerSecret(file: string): void {
  try {
    fs.rmSync(formerFile(file), { force: true });
    flushFolder(dirname(file));
  } catch (error) {
    throw new SecretUnavailable(`Cannot remove ${formerFile(file)} (${codeOf(error)}).`);
  }
}

/**
 * The previous secret; null outside of a rotation, and after one that was interrupted before the new secret was in
 * place.
 * @throws {SecretUnavailable}
 */
export function readFormerSecret(file: string): string | null {
  const former = fs.existsSync(formerFile(file)) ? readSecret(formerFile(file)) : null;
  return former === null || former === readSecret(file) ? null : former;
}

/** Writes a temporary file and links it to its name, so that readers never see a partial file. */
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

/** @throws {SecretUnavailable} */
export function readSecret(file: string): string {
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

/** So that a power cut cannot undo the creation of a file; Windows cannot open folders. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}
