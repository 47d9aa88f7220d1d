import { ApiError } from '../../../../platform/errors/api-error';

/** SCIM error types (RFC 7644, table 9). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'tooMany'
  | 'uniqueness';

/** An error of a SCIM request; its response has SCIM's format, like everything below `/scim/`. */
class ScimError extends ApiError {
  constructor(detail: string, scimType: ScimType | null, status = 400) {
    super(detail, { status, companion: { data: scimType === null ? {} : { scimType } } });
  }
}

/** The filter is malformed or too complex. */
export class InvalidFilter extends ScimError {
  constructor(detail: string) {
    super(`The filter is invalid: ${detail}.`, 'invalidFilter');
  }
}

/** The path of a PATCH selects nothing that can be changed. */
export class InvalidPath extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidPath');
  }
}

/** The body is malformed. */
export class InvalidScimSyntax extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidSyntax');
  }
}

/** A value is missing or invalid. */
export class InvalidValue extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidValue');
  }
}

/** Directories may not change this. */
export class NotForDirectories extends ScimError {
  constructor(detail: string) {
    super(detail, 'mutability');
  }
}

/** Another account or group has the name. */
export class NameTaken extends ScimError {
  constructor(detail: string) {
    super(detail, 'uniqueness', 409);
  }
}

/** The resource has changed since the directory read it. */
export class OutdatedVersion extends ScimError {
  constructor() {
    super('The resource has changed. Read it again.', null, 412);
  }
}

/** The resource is still referenced. */
class StillInUse extends ScimError {
  constructor(detail: string) {
    super(detail, null, 409);
  }
}

/** No resource of this type has the ID, or another directory manages it. */
export class NoSuchResource extends ScimError {
  constructor(id: number) {
    super(`Resource ${id} not found.`, null, 404);
  }
}

/** The key is missing, wrong or revoked. */
export class ScimKeyRefused extends ApiError {
  constructor() {
    super('A valid key of a directory is required, as bearer token. Make one with "parley scim add".', {
      code: 'UNAUTHORIZED',
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
}

/** Converts other API errors to SCIM errors; returns anything else unchanged. */
export function asScimError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error instanceof ScimError) return error;
  const status = error.companion.status ?? error.status;
  if (status === 409) return new StillInUse(error.advisedMessage);
  return status === 400 ? new InvalidValue(error.advisedMessage) : error;
}

/** Content type of all responses (RFC 7644, 8.1). */
export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
