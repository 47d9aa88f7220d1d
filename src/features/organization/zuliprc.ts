import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a client finds the server and as whom it signs in. */
export interface ZuliprcContent {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/**
 * Writes the file that Zulip clients take their account from, readable by its owner alone.
 * @returns the path of the file
 */
export function writeZuliprc(folder: string, content: ZuliprcContent): string {
  const path = join(folder, 'zuliprc');
  const { email, key, site } = content;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`, { mode: 0o600 });
  return path;
}
