import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { codeOf } from './start-refused';

/** Keys and passwords are far shorter; what is longer is some other file. */
const MAX_BYTES = 64 * 1024;

/** The file of a secret cannot be used; the message completes the sentence "... names FILE, which ...". */
export class SecretFileRefused extends Error {}

/**
 * Reads a secret that an operator keeps in a file, as systemd's credentials and the secrets of container platforms are.
 * Line breaks at its end are no part of it.
 * @throws {SecretFileRefused}
 */
export function readSecretFile(path: string): string {
  const text = read(path).replace(/[\r\n]+$/, '');
  if (text === '') throw new SecretFileRefused('is empty');
  if (text.includes('\0')) throw new SecretFileRefused('is no text');
  return text;
}

function read(path: string): string {
  let descriptor: number | null = null;
  try {
    // Opening a named pipe would block until something writes to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new SecretFileRefused('is no regular file');
    if (found.size > MAX_BYTES) throw new SecretFileRefused(`is longer than ${MAX_BYTES} bytes`);
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof SecretFileRefused) throw error;
    throw new SecretFileRefused(`cannot be read (${codeOf(error)})`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
