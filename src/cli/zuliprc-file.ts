import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandRefused } from '../platform/operator/operator-commands';

/** What a client needs to sign in. */
export interface Zuliprc {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** The file from which Zulip clients read their account. */
export function zuliprcText({ email, key, site }: Zuliprc): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}`;
}

/** Call this before doing anything whose result goes into the file. @throws CommandRefused */
export function requireNoFile(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return;
  throw new CommandRefused(`${resolve(file)} already exists. Choose another file, or remove it first.`);
}

/**
 * Writes the file, readable by the user of this process only.
 * @returns the absolute path
 * @throws CommandRefused
 */
export function writeZuliprc(file: string, content: Zuliprc): string {
  const path = resolve(file);
  try {
    writeFileSync(path, `${zuliprcText(content)}\n`, { flag: 'wx', mode: 0o600 });
    return path;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'file exists' : code;
    throw new CommandRefused(
      `Cannot write ${path} (${reason}). Run "parley user key ${content.email}" to show the key instead.`,
    );
  }
}
