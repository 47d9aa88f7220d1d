import { randomBytes } from 'node:crypto';
import { urlName } from './file-name';

/** The path of an upload: organization, folder, key and name. The key is unguessable. */
const SHAPE = /^1\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/[\p{L}\p{M}\p{N}._-]+$/u;

/** Makes the path of a new upload: what stands after `/user_uploads/` in its address. */
export function newUploadPath(shownName: string): string {
  const folder = randomBytes(1).toString('hex');
  const key = randomBytes(18).toString('base64url');
  return `1/${folder}/${key}/${urlName(shownName)}`;
}

/** The form in which a path is stored; null for what cannot be the path of an upload. */
export function parseUploadPath(text: string): string | null {
  const path = text.normalize('NFC');
  return SHAPE.test(path) ? path : null;
}

/** The unguessable, unique part of a path. */
export function keyOf(path: string): string {
  const [, , key = ''] = path.split('/');
  return key;
}

/** The name of the file as its address has it. */
export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** Where the file store keeps the file: nothing of it was chosen by users. */
export function storedPath(path: string): string {
  const [, folder, key] = path.split('/');
  return ['uploads', folder, key].join('/');
}

/** The address of an upload, relative to the site. */
export function uploadUrl(path: string): string {
  return `/user_uploads/${path.split('/').map(encodeURIComponent).join('/')}`;
}
