import { ApiError, refusal } from '../../errors/api-error';

/** The client speaks another version of the protocol. */
export class OtherTusVersion extends refusal('This server speaks version 1.0.0 of the tus protocol.', {
  status: 412,
  headers: { 'tus-version': '1.0.0' },
}) {}

/** The client does not say how long the file is. */
export class UploadLengthMissing extends refusal('Upload-Length has to say how many bytes the file has.', {
  status: 411,
}) {}

/** A header of the protocol cannot be read. */
export class BadTusHeader extends ApiError {
  constructor(name: string, expected: string) {
    super(`${name} is not ${expected}.`, { status: 422 });
  }
}
