import type { Readable } from 'node:stream';

/** Methods that a form can ask for with its field `method`, instead of the POST that carries it. */
export const FORM_METHODS = ['PATCH', 'PUT', 'DELETE'] as const;

type FormMethod = (typeof FORM_METHODS)[number];

/** So much of a multipart form is looked at before it is known who sends it. */
const LOOKED_AT_BYTES = 64 * 1024;

/** The whole field, as far as the boundary after it. */
const METHOD_FIELD = /;[ \t]*name="?method"?[ \t]*\r\n(?:[^\r\n]+\r\n)*\r\n(PATCH|PUT|DELETE)\r\n--/;

/**
 * Guesses which method a multipart form asks for, from its first bytes, which stay to be read. Who acts on it lets the form
 * be read as one that has to name this method ({@link MultipartBody.requireMethod}), since what looks like the field may
 * stand in a file.
 * @returns null where the form is complete and names none, `unknown` where it goes on
 */
export function guessFormMethod(form: Readable): Promise<FormMethod | 'unknown' | null> {
  return new Promise((resolve) => {
    let seen = Buffer.alloc(0);
    const end = () => settle(null);
    const settle = (method: FormMethod | 'unknown' | null) => {
      form.off('data', look).off('end', end).off('error', end).off('close', end);
      resolve(method);
    };
    const look = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const named = METHOD_FIELD.exec(seen.toString('latin1', 0, LOOKED_AT_BYTES))?.[1] as
        FormMethod | undefined;
      if (named === undefined && seen.length < LOOKED_AT_BYTES) return;
      form.pause();
      form.unshift(seen);
      settle(named ?? 'unknown');
    };
    form.on('data', look).once('end', end).once('error', end).once('close', end);
  });
}
