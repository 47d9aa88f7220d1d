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

/** All uploads together would take more than the operator gives the organization. */
export class OrganizationUploadQuotaExceeded extends ApiError {
  constructor() {
    super("Upload would exceed your organization's upload quota.", { code: 'REALM_UPLOAD_QUOTA' });
  }
}

/** The uploads of a person and their bots would take more than the operator gives each person. */
export class PersonalUploadQuotaExceeded extends ApiError {
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
