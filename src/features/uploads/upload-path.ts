import { createHash, randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { lookup } from 'mime-types';

/** The type of unknown files. */
const UNKNOWN_TYPE = 'application/octet-stream';
const TYPE = /^[\w.+!#$&^-]{1,100}\/[\w.+!#$&^-]{1,100}$/;

/** Types with several names. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  'audio/x-flac': 'audio/flac',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
};

/** The name of a file that was sent without a usable name. */
const NAMELESS = 'uploaded-file';

/** Maximum length of a name in code points, including its extension. */
const MAX_LENGTH = 200;
/** Maximum length of the name in a URL, where each character may be encoded as twelve. */
const MAX_LENGTH_IN_URL = 80;
/** Maximum length of an extension with its dot; a longer one counts as part of the name. */
const MAX_EXTENSION = 16;

/** Line breaks, invisible characters that reverse the surrounding text, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The displayed name: the one that was sent, without folders and deceptive characters. */
export function shownName(sent: string): string {
  const base = sent.split(/[/\\]/).at(-1) ?? '';
  const name = base.replace(UNSAFE, '').normalize('NFC').trim();
  return orNameless(shorten(name, MAX_LENGTH));
}

/** The last segment of the file's URL: letters and digits of any script, dots, hyphens and underscores. */
export function urlName(shown: string): string {
  const name = shown
    .replace(/\s+/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    .replace(/^\.+/, '')
    .normalize('NFC');
  return orNameless(shorten(name, MAX_LENGTH_IN_URL));
}

/** Truncates a name, but keeps its extension. */
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
 * The type of a file: the extension decides, since clients derive types from the file's name or send none; the declared
 * type is used only if the extension is unknown.
 * @param declared in lower case, without parameters
 */
export function contentTypeOf(fileName: string, declared: string): string {
  const type = lookup(extname(fileName)) || (TYPE.test(declared) ? declared : UNKNOWN_TYPE);
  return USUAL_NAMES[type] ?? type;
}

/** The path of an upload: organization, folder, key and name. The key is unguessable. */
const SHAPE = /^1\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/[\p{L}\p{M}\p{N}._-]+$/u;

/** Creates the path of a new upload: the part of its URL after `/user_uploads/`. */
export function newUploadPath(shownName: string): string {
  const folder = randomBytes(1).toString('hex');
  const key = randomBytes(18).toString('base64url');
  return `1/${folder}/${key}/${urlName(shownName)}`;
}

/** The form in which a path is stored; null for a text that is not the path of an upload. */
export function parseUploadPath(text: string): string | null {
  const path = text.normalize('NFC');
  return SHAPE.test(path) ? path : null;
}

/**
 * The path here of another server's file: the same except for the organization if it has the form of our paths,
 * otherwise a derived one, so that the old URL still works.
 */
export function pathOfImported(path: string): string {
  return parseUploadPath(`1/${path.slice(path.indexOf('/') + 1)}`) ?? derivedPath(path);
}

/** A path derived from that of another server. Anyone who knows one can compute the other. */
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

/** The name of the file as in its URL. */
export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** The path in the file store, none of which is chosen by users. */
export function storedPath(path: string): string {
  const [, folder, key] = path.split('/');
  return ['uploads', folder, key].join('/');
}

/** The URL of an upload, relative to the site. */
export function uploadUrl(path: string): string {
  return `/user_uploads/${path.split('/').map(encodeURIComponent).join('/')}`;
}
