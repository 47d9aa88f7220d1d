import { ApiError } from '../../../../platform/errors/api-error';

/** Kinds of refusals (RFC 7644, table 9). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'tooMany'
  | 'uniqueness';

/** What a directory is refused; the answer has the form of SCIM, as everything below `/scim/`. */
class ScimError extends ApiError {
  constructor(detail: string, scimType: ScimType | null, status = 400) {
    super(detail, { status, companion: { data: scimType === null ? {} : { scimType } } });
  }
}

/** The filter cannot be read, or is too much of one. */
export class InvalidFilter extends ScimError {
  constructor(detail: string) {
    super(`The filter is invalid: ${detail}.`, 'invalidFilter');
  }
}

/** The path of a PATCH names nothing that can be changed. */
export class InvalidPath extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidPath');
  }
}

/** The body has not the form of what was asked. */
export class InvalidScimSyntax extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidSyntax');
  }
}

/** A value is missing, or is none that the attribute can have. */
export class InvalidValue extends ScimError {
  constructor(detail: string) {
    super(detail, 'invalidValue');
  }
}

/** Directories do not change this. */
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

/** The resource has changed since the directory saw it. */
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

/** Nothing of this kind has the ID, or it belongs to another directory. */
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

/** Turns what the rest of the server refuses into the words of SCIM; anything else is thrown on as it is. */
export function asScimError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error instanceof ScimError) return error;
  const status = error.companion.status ?? error.status;
  if (status === 409) return new StillInUse(error.advisedMessage);
  return status === 400 ? new InvalidValue(error.advisedMessage) : error;
}

/** The type of all answers (RFC 7644, 8.1). */
export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
