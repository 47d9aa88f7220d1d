import { isUtf8 } from 'node:buffer';
import { Unauthorized, BadRequest } from '../../platform/errors/shared.errors';

/** What an `Authorization: Basic` header holds, trimmed. */
export interface BasicCredentials {
  readonly userName: string;
  readonly apiKey: string;
}

const API_KEY = /^[A-Za-z0-9]{32}$/;

/**
 * Takes the Basic credentials out of the header's text (reference A1).
 * @throws BadRequest for another scheme, Unauthorized for whatever cannot be decoded
 */
export function parseBasicCredentials(header: string): BasicCredentials {
  const words = header.split(' ');
  if (words[0]?.toLowerCase() !== 'basic') {
    throw new BadRequest('This endpoint requires HTTP basic authentication.');
  }
  const parts = words.length === 2 ? decode(words[1] as string)?.split(':') : undefined;
  if (parts?.length !== 2) throw new Unauthorized('Invalid authorization header for basic auth');
  const [userName, apiKey] = parts.map((part) => part.trim()) as [string, string];
  if (!API_KEY.test(apiKey)) throw new Unauthorized('Malformed API key');
  return { userName, apiKey };
}

/** Strict on both layers: text that is no base64 or no UTF-8 gives undefined. */
function decode(base64: string): string | undefined {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
