import { ApiError, refusal } from '../../errors/api-error';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

/** The version of the protocol; in every answer. */
export const TUS_HEADERS = { 'tus-resumable': '1.0.0' } as const;

/** Capabilities of the server. */
export const TUS_ABILITIES = {
  ...TUS_HEADERS,
  'tus-version': '1.0.0',
  'tus-extension': 'creation,termination',
} as const;

/** Maximum number of metadata pairs; clients send five. */
const MOST_PAIRS = 50;

const WHOLE_NUMBER = /^\d{1,15}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @throws OtherTusVersion */
export function requireTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] !== TUS_HEADERS['tus-resumable']) throw new OtherTusVersion();
}

/** Declared size of the file in bytes. @throws UploadLengthMissing, BadTusHeader */
export function uploadLengthOf(headers: IncomingHttpHeaders): number {
  if (headers['upload-length'] === undefined) throw new UploadLengthMissing();
  return wholeNumber(headers, 'Upload-Length');
}

/** Offset of the piece in the file. @throws BadTusHeader */
export function uploadOffsetOf(headers: IncomingHttpHeaders): number {
  return wholeNumber(headers, 'Upload-Offset');
}

/** The client's metadata for the file: comma-separated pairs of a key and Base64 text. @throws BadTusHeader */
export function uploadMetadataOf(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const text = headers['upload-metadata'];
  if (typeof text !== 'string' || text.trim() === '') return new Map();
  const pairs = text.split(',', MOST_PAIRS + 1);
  if (pairs.length > MOST_PAIRS) throw new BadTusHeader('Upload-Metadata', `at most ${MOST_PAIRS} pairs`);
  return new Map(pairs.map(pairOf));
}

function pairOf(pair: string): [string, string] {
  const [key = '', value = '', ...rest] = pair.trim().split(' ');
  const bytes = Buffer.from(value, 'base64');
  if (key === '' || rest.length > 0 || !BASE64.test(value) || !isUtf8(bytes)) {
    throw new BadTusHeader('Upload-Metadata', 'a list of pairs of a key and text in Base64');
  }
  return [key, bytes.toString('utf8')];
}

function wholeNumber(headers: IncomingHttpHeaders, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = headers[name.toLowerCase()];
  if (typeof text !== 'string' || !WHOLE_NUMBER.test(text)) throw new BadTusHeader(name, 'a whole number');
  return Number(text);
}

/** The client uses another version of the protocol. */
class OtherTusVersion extends refusal('Unsupported tus version. This server supports 1.0.0.', {
  status: 412,
  headers: { 'tus-version': '1.0.0' },
}) {}

/** The client does not state the length of the file. */
class UploadLengthMissing extends refusal('Upload-Length must be the file size in bytes.', {
  status: 411,
}) {}

/** A header of the protocol is invalid. */
class BadTusHeader extends ApiError {
  constructor(name: string, expected: string) {
    super(`${name} is not ${expected}.`, { status: 422 });
  }
}
