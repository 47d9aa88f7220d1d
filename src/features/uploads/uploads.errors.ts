import { ApiError } from '../../platform/errors/api-error';

/** There is no upload under this path, at least not any more. */
export class NoSuchUpload extends ApiError {
  constructor() {
    super('File not found.', { code: 'NOT_FOUND', status: 404 });
  }
}

/** The upload exists, but the caller neither made it nor can read a message that links it. */
export class UploadOutOfReach extends ApiError {
  constructor() {
    super('You are not authorized to view this file.', { code: 'FORBIDDEN', status: 403 });
  }
}

/** A link that is good for a minute was used after that, or was never handed out. */
export class InvalidTemporaryLink extends ApiError {
  constructor() {
    super('Invalid token');
  }
}

/** A link that is good for a minute was given another file name. */
export class InvalidTemporaryFileName extends ApiError {
  constructor() {
    super('Invalid filename');
  }
}

/** The file is larger than the operator allows. */
export class FileTooLarge extends ApiError {
  constructor(maxMib: number) {
    super(`File is larger than this server's configured maximum upload size (${maxMib} MiB).`);
  }
}

/** An upload would take more than the operator gives. */
export abstract class UploadQuotaExceeded extends ApiError {}

/** All uploads together would take more than the operator gives the organization. */
export class OrganizationUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor() {
    super("Upload would exceed your organization's upload quota.", { code: 'REALM_UPLOAD_QUOTA' });
  }
}

/** The uploads of a person and their bots would take more than the operator gives each person. */
export class PersonalUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor(quotaMib: number) {
    super(`Upload would exceed your upload quota of ${quotaMib} MiB.`, { code: 'USER_UPLOAD_QUOTA' });
  }
}

/** No attachment of the caller's own has this ID. */
export class InvalidAttachment extends ApiError {
  constructor() {
    super('Invalid attachment');
  }
}

/** No unfinished upload of the caller's own has this ID, at least not any more. */
export class NoSuchUnfinishedUpload extends ApiError {
  constructor() {
    super('This upload was finished or given up, or is too old.', { code: 'NOT_FOUND', status: 404 });
  }
}

/** The piece does not begin where the last one ended. */
export class UploadOffsetMismatch extends ApiError {
  /** @param received bytes that are here */
  constructor(received: number) {
    super(`The next piece has to begin at byte ${received}.`, {
      status: 409,
      headers: { 'upload-offset': String(received) },
    });
  }
}

/** The piece goes beyond the end of the file. */
export class PieceTooLong extends ApiError {
  constructor() {
    super('The file is longer than was said at first.', { status: 413 });
  }
}

/** The file came in more pieces than the server keeps. */
export class TooManyPieces extends ApiError {
  constructor(most: number) {
    super(`The file came in more than ${most} pieces.`, { status: 413 });
  }
}

/** Another node has a part of the file, in a folder that this one does not see. */
export class PieceElsewhere extends ApiError {
  constructor() {
    super('A part of this file is missing on this node: all nodes have to share one DATA_DIR.', {
      status: 503,
    });
  }
}

/** There is no room for a file that was to arrive piece by piece: what is told otherwise, with the status for that. */
export class UploadNotTaken extends ApiError {
  constructor({ message, code, data }: ApiError) {
    super(message, { code, data, status: 413 });
  }
}
