import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A file of a build, as it was when the server started. */
export interface StaticFile {
  /** Where it lies on the disk. */
  readonly file: string;
  readonly size: number;
  /** Differs for other content. */
  readonly version: string;
  /** Its name changes with its content, so clients can cache it forever. */
  readonly isImmutable: boolean;
}

/** A hash in a name: 12 or 20 hexadecimal digits between dots, or after a slash. */
const HASHED = /(?:\.|\/)(?:[0-9a-f]{12}|[0-9a-f]{20})\.[^/]+$/;

/**
 * Every file below a folder, by its path with `/` between the parts. Only what is in this list is served, so that no
 * request can name anything else. What is no plain file, such as a link, is left out.
 */
export function indexFolder(folder: string): Map<string, StaticFile> {
  const index = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    const { size, mtimeMs } = statSync(file);
    const version = `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
    index.set(path, { file, size, version, isImmutable: HASHED.test(`/${path}`) });
  }
  return index;
}
