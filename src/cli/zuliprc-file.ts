import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandRefused } from '../platform/operator/operator-commands';

/** A client's credentials. */
export interface Zuliprc {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** The file from which Zulip clients read their credentials. */
export function zuliprcText({ email, key, site }: Zuliprc): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}`;
}

/** Call this before creating what the file should contain. @throws CommandRefused */
export function requireNoFile(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return;
  throw new CommandRefused(`${resolve(file)} already exists. Choose another file, or remove it first.`);
}

/**
 * Writes the file, readable only by the user of this process.
 * @returns the absolute path
 * @throws CommandRefused
 */
export function writeZuliprc(file: string, content: Zuliprc): string {
  const advice = `Run "parley user key ${content.email}" to show the key instead.`;
  return writeNewFile(file, `${zuliprcText(content)}\n`, advice);
}

/**
 * Writes a new file, readable only by the user of this process.
 * @param advice for when it cannot be written
 * @returns the absolute path
 * @throws CommandRefused
 */
export function writeNewFile(file: string, text: string, advice: string): string {
  const path = resolve(file);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return path;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new CommandRefused(`Cannot write ${path} (${code === 'EEXIST' ? 'file exists' : code}). ${advice}`);
  }
}
