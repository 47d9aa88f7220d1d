import type { Readable } from 'node:stream';
import { type ExecutionContext, Injectable, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RangeNotSatisfiable } from '../../errors/request.errors';
import { LeanInterceptor } from '../lean-interceptors';

/** A file as the answer of a route. Its content comes from users and is not checked. */
export interface FileAnswer {
  /** The suggested file name. */
  readonly fileName: string;
  /** The type stated by its uploader, in lower case, without parameters. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with the content: letters, digits, `-` and `_`. */
  readonly version: string;
  /** Whether browsers always save it, whatever its type. */
  readonly isDownload?: boolean;
  /**
   * Called at most once.
   * @throws ApiError if the content is gone
   */
  open(range?: ByteRange): Promise<Readable>;
}

/** Types that browsers may show inline; everything else, especially HTML and SVG, is only ever downloaded. */
const SHOWN = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/apng',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'application/pdf',
  'text/plain',
]);

const NOTHING = `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
/** What the browser's own viewers need to show a file. None of it allows the file to run code. */
const VIEWERS = `img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'`;

/** Headers of a response with the file's content. They are safe for any content. */
function fileHeaders(file: FileAnswer): Record<string, string> {
  const isShown = SHOWN.has(file.contentType) && !file.isDownload;
  return {
    'content-type': isShown ? withCharset(file.contentType) : 'application/octet-stream',
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', file.fileName),
    'content-security-policy': policyFor(file.contentType),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    ...cachingHeaders(file),
  };
}

/** Caches keep the file and revalidate it each time, because access to it may end. */
function cachingHeaders(file: FileAnswer): Record<string, string> {
  return { etag: entityTag(file), 'cache-control': 'private, no-cache' };
}

/** The `ETag` of a file: its version in quotes. */
function entityTag({ version }: FileAnswer): string {
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

/**
 * The `Content-Disposition` header for a file. For any name, the header has one line and one meaning (RFC 6266, RFC
 * 8187).
 */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^ -~]|["\\%]/gu, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** A range of a file, inclusive at both ends. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header. One that is malformed, uses another unit or asks for several ranges counts as absent, as RFC
 * 9110 allows: the answer is then the whole file.
 * @returns null for the whole file
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (!first && !last) return null;
  const start = first ? Number(first) : Math.max(size - Number(last), 0);
  const end = first && last ? Number(last) : size - 1;
  if (first && last && start > end) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}

/**
 * The target of a redirect, with the query string of the request added to its own.
 * @param requested path and query string of the request
 */
export function withQuery(address: string, requested: string): string {
  const start = requested.indexOf('?') + 1;
  const query = start === 0 ? '' : requested.slice(start);
  if (query === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Sends the {@link FileAnswer} that a handler returns: the requested range, no content if the caller's copy is current,
 * and no faster than the caller reads it.
 */
@Injectable()
export class FileAnswerInterceptor extends LeanInterceptor {
  async after(file: FileAnswer, context: ExecutionContext): Promise<StreamableFile | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (isKnown(file, request)) {
      reply.code(304).headers(cachingHeaders(file));
      return undefined;
    }
    const range = requestedRange(file, request);
    const content = await file.open(range ?? undefined);
    reply.headers(fileHeaders(file));
    if (range === null) return new StreamableFile(content, { length: file.size });
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    return new StreamableFile(content, { length: range.end - range.start + 1 });
  }
}

function isKnown(file: FileAnswer, { headers }: FastifyRequest): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(entityTag(file)) || known.includes('*');
}

/** @throws RangeNotSatisfiable */
function requestedRange(file: FileAnswer, { method, headers }: FastifyRequest): ByteRange | null {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== entityTag(file))) return null;
  const range = parseByteRange(headers.range, file.size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(file.size);
  return range;
}
