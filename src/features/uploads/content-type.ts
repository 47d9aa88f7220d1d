import { extname } from 'node:path';
import { lookup } from 'mime-types';

const UNKNOWN = 'application/octet-stream';
const WELL_FORMED = /^[\w.+!#$&^-]{1,100}\/[\w.+!#$&^-]{1,100}$/;

/**
 * What a file is: the extension decides, as clients name what they send after the file's name or not at all; what
 * they say counts where the extension tells nothing.
 * @param declared in lower case, without parameters
 */
export function contentTypeOf(fileName: string, declared: string): string {
  return lookup(extname(fileName)) || (WELL_FORMED.test(declared) ? declared : UNKNOWN);
}
