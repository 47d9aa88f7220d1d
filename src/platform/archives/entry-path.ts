import { ArchiveRefused } from './archive-refused';

const MAX_BYTES = 1024;
const MAX_PART_BYTES = 255;
const MAX_PARTS = 32;

/**
 * Splits the path of an entry into its parts. A leading `./` and a trailing `/` do not count.
 * @throws ArchiveRefused for a path that could lead outside of its folder, or that no file system takes
 */
export function entryParts(path: string): string[] {
  if (Buffer.byteLength(path) > MAX_BYTES) throw new ArchiveRefused(path, 'The path is too long.');
  if (/[\x00-\x1f\x7f\\]/.test(path) || !path.isWellFormed() || path.includes('\ufffd'))
    throw new ArchiveRefused(path, 'The path has characters that no path may have.');
  if (path.startsWith('/')) throw new ArchiveRefused(path, 'The path is absolute.');
  const parts = path
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
    .split('/');
  if (parts.length === 1 && (parts[0] === '' || parts[0] === '.')) return [];
  if (parts.some((part) => part === '..' || part === '.' || part === ''))
    throw new ArchiveRefused(path, 'The path leads outside of the archive.');
  if (parts.length > MAX_PARTS) throw new ArchiveRefused(path, 'The folders are nested too deeply.');
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES))
    throw new ArchiveRefused(path, 'A part of the path is too long.');
  return parts;
}
