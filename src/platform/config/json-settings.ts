import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { readSecretFile, SecretFileRefused } from './secret-file';
import { codeOf, type StartRefused } from './start-refused';

/** Makes the error for a problem, in words that complete "..., but". */
export type Refuse = (problem: string) => StartRefused;

/** The content of a JSON file that a setting names. @throws {StartRefused} */
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

/** An object of the file as its class describes it. @param what it is, with its article. @throws {StartRefused} */
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

/** A secret in a file of its own, named by a field; its path is relative to the first file. @throws {StartRefused} */
export function readSecretBeside(path: string, field: string, file: string, refuse: Refuse): string {
  const found = resolve(dirname(path), file);
  try {
    return readSecretFile(found);
  } catch (error) {
    if (!(error instanceof SecretFileRefused)) throw error;
    throw refuse(`"${field}" names ${found}, which ${error.message}`);
  }
}
