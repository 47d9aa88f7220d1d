import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range';
import { contentDisposition } from './content-disposition';

/** A file that a route answers with. Its content was made by users, and nobody has looked at it. */
export interface FileAnswer {
  /** To save it under. */
  readonly fileName: string;
  /** What it was said to be, in lower case, without parameters. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Another one for other content: letters, digits, `-` and `_`. */
  readonly version: string;
  /**
   * Called once at most.
   * @throws ApiError where the content is gone
   */
  open(range?: ByteRange): Promise<Readable>;
}

/** What browsers may show by themselves; everything else, HTML and SVG above all, is only ever downloaded. */
const SHOWN = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'application/pdf',
  'text/plain',
]);

const NOTHING = `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
/** What the browser's own viewers need to show a file. Nothing of it runs anything that the file brings. */
const VIEWERS = `img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'`;

/** Headers of an answer with the file's content. They hold whatever it turns out to be. */
export function fileHeaders(file: FileAnswer): Record<string, string> {
  const isShown = SHOWN.has(file.contentType);
  return {
    'content-type': isShown ? withCharset(file.contentType) : 'application/octet-stream',
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', file.fileName),
    'content-security-policy': policyFor(file.contentType),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    ...cachingHeaders(file),
  };
}

/** Caches keep the file and ask every time whether it may still be used, as access to it may end. */
export function cachingHeaders(file: FileAnswer): Record<string, string> {
  return { etag: entityTag(file), 'cache-control': 'private, no-cache' };
}

/** The `ETag` of a file: its version in quotes. */
export function entityTag({ version }: FileAnswer): string {
  return `"${version}"`;
}

function withCharset(contentType: string): string {
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
}

/** Chromium does not show PDF files in a sandbox. */
function policyFor(contentType: string): string {
  const policy = `${NOTHING}; ${VIEWERS}`;
  return contentType === 'application/pdf' ? policy : `${policy}; sandbox`;
}
