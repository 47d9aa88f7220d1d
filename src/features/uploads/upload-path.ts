import { createHash, randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { lookup } from 'mime-types';

/** The type of what is not known to be anything else. */
const UNKNOWN_TYPE = 'application/octet-stream';
const TYPE = /^[\w.+!#$&^-]{1,100}\/[\w.+!#$&^-]{1,100}$/;

/** Types that go by several names. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  'audio/x-flac': 'audio/flac',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
};

/** What a file is called that came without a usable name. */
const NAMELESS = 'uploaded-file';

/** Characters of a name, counted in code points, its extension included. */
const MAX_LENGTH = 200;
/** Characters of the name in an address, where each may take twelve. */
const MAX_LENGTH_IN_URL = 80;
/** A longer last part, with its dot, is not taken for an extension. */
const MAX_EXTENSION = 16;

/** Line breaks, invisible characters that reverse the text around them, and halves of characters. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The name that people see: the one that was sent, without folders and without what could deceive. */
export function shownName(sent: string): string {
  const base = sent.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(UNSAFE, '').normalize('NFC').trim();
  return orNameless(shorten(name, MAX_LENGTH));
}

/** The last part of the file's address: letters and digits of any script, dots, hyphens and underscores. */
export function urlName(shown: string): string {
  const name = shown
    .replace(/\s+/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    .replace(/^\.+/, '')
    .normalize('NFC');
  return orNameless(shorten(name, MAX_LENGTH_IN_URL));
}

/** Cuts a name, but leaves its extension. */
function shorten(name: string, maxLength: number): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, maxLength - extension.length), ...extension].join('');
}

function orNameless(name: string): string {
  return /[^.]/.test(name) ? name : NAMELESS;
}

/**
 * What a file is: the extension decides, as clients name what they send after the file's name or not at all; what
 * they say counts where the extension tells nothing.
 * @param declared in lower case, without parameters
 */
export function contentTypeOf(fileName: string, declared: string): string {
  const type = lookup(extname(fileName)) || (TYPE.test(declared) ? declared : UNKNOWN_TYPE);
  return USUAL_NAMES[type] ?? type;
}

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

/**
 * The path here of a file that another server had: the same but for the organization where it has the form that paths
 * have here, and else one that follows from it, so that the old address still leads to the file.
 */
export function pathOfImported(path: string): string {
  return parseUploadPath(`1/${path.slice(path.indexOf('/') + 1)}`) ?? derivedPath(path);
}

/** A path that follows from that of another server. Anyone who knows one can tell the other. */
export function derivedPath(path: string): string {
  const digest = createHash('sha256').update(path).digest();
  const name = urlName(nameOf(path));
  return `1/${digest.toString('hex', 0, 1)}/${digest.toString('base64url', 1, 19)}/${name}`;
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
