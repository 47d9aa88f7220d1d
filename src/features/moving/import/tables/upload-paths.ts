import { createHash } from 'node:crypto';
import { parseUploadPath, urlName } from '../../../uploads/uploads.module';

/** Where files of the archive are found here. */
export class UploadPaths {
  private readonly paths = new Map<string, string>();
  private readonly keys = new Set<string>();

  /** @param path that of the archive; kept but for its first part where it has the form that paths have here */
  add(path: string, fileName: string): string {
    const rest = path.slice(path.indexOf('/') + 1);
    const kept = parseUploadPath(`1/${rest}`);
    const [, , key = ''] = kept?.split('/') ?? [];
    const used = kept !== null && !this.keys.has(key) ? kept : madePath(path, fileName);
    this.keys.add(used.split('/')[2] ?? '');
    this.paths.set(path, used);
    return used;
  }

  /** The path here; null for what the archive does not have. */
  find(path: string): string | null {
    return this.paths.get(path) ?? this.paths.get(decoded(path)) ?? null;
  }
}

/** Deterministic. Anyone with the archive can guess it, but also has the file. */
function madePath(path: string, fileName: string): string {
  const digest = createHash('sha256').update(path).digest();
  return `1/${digest.toString('hex', 0, 1)}/${digest.toString('base64url', 1, 19)}/${urlName(fileName)}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
