import { ApiError, refusal } from '../../errors/api-error';

/** The client speaks another version of the protocol. */
export class OtherTusVersion extends refusal('Unsupported tus version. This server supports 1.0.0.', {
  status: 412,
  headers: { 'tus-version': '1.0.0' },
}) {}

/** The client does not say how long the file is. */
export class UploadLengthMissing extends refusal('Upload-Length must be the file size in bytes.', {
  status: 411,
}) {}

/** A header of the protocol cannot be read. */
export class BadTusHeader extends ApiError {
  constructor(name: string, expected: string) {
    super(`${name} is not ${expected}.`, { status: 422 });
  }
}
