/** A part of a multipart form: a field, or with a file name a file. */
export interface Part {
  name: string;
  value: string | Buffer;
  fileName?: string;
  type?: string;
}

const BOUNDARY = 'x-test-boundary';

/** The content type that goes with {@link multipart}. */
export const multipartType = `multipart/form-data; boundary=${BOUNDARY}`;

/** The body of a multipart form, as a client sends it. */
export function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}
