import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { codeOf, type StartRefused } from './start-refused';

/** Keys and passwords are far shorter; a longer file is something else. */
const MAX_BYTES = 64 * 1024;

/** The file of a secret cannot be used; the message completes the sentence "... names FILE, which ...". */
export class SecretFileRefused extends Error {}

/**
 * Reads a secret from a file, as systemd credentials and container platforms provide it. Trailing line breaks are
 * ignored.
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

/** Creates the error for a problem, whose text completes "..., but". */
type Refuse = (problem: string) => StartRefused;

/** The content of a JSON file named by a setting. @throws {StartRefused} */
export function readJson(path: string, refuse: Refuse): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refuse(`it cannot be read (${codeOf(error)})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`it is not JSON (${(error as Error).message})`);
  }
}

/** Validates an object of the file against its class. @param what it is, with its article. @throws {StartRefused} */
export function checkedBlock<T extends object>(
  block: Type<T>,
  given: unknown,
  what: string,
  refuse: Refuse,
): T {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse('it must be an object');
  const checked = plainToInstance(block, given);
  const [problem] = validateSync(checked, { whitelist: true, forbidNonWhitelisted: true });
  if (problem?.constraints?.whitelistValidation)
    throw refuse(`"${problem.property}" is not a field of ${what}`);
  if (problem) throw refuse(Object.values(problem.constraints ?? {}).join(', '));
  return checked;
}

/** A secret in a separate file, named by a field, with a path relative to the first file. @throws {StartRefused} */
export function readSecretBeside(path: string, field: string, file: string, refuse: Refuse): string {
  const found = resolve(dirname(path), file);
  try {
    return readSecretFile(found);
  } catch (error) {
    if (!(error instanceof SecretFileRefused)) throw error;
    throw refuse(`"${field}" names ${found}, which ${error.message}`);
  }
}
