import { ApiError } from './api-error';

/** One problem with the input of the companion interface. */
export interface InputProblem {
  /** Its location, as in `["body", "email"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** Machine-readable kind, such as `missing`. */
  readonly type: string;
}

/** The input does not match what the companion interface expects; `detail` lists the problems. */
export class UnprocessableEntity extends ApiError {
  constructor(readonly problems: readonly InputProblem[]) {
    super(problems.map(({ msg }) => msg).join('; '), { code: 'UNPROCESSABLE', status: 422 });
  }

  /** A single problem, found by something other than the checks of a class. */
  static at(loc: InputProblem['loc'], msg: string, type: string): UnprocessableEntity {
    return new UnprocessableEntity([{ loc, msg, type }]);
  }
}

/** The companion interface could not identify the caller. */
export class NotAuthenticated extends ApiError {
  /** @param challenge details about the token (RFC 6750) */
  constructor(message = 'Not authenticated', challenge = 'Bearer') {
    super(message, { code: 'UNAUTHORIZED', status: 401, headers: { 'www-authenticate': challenge } });
  }
}

/** A token was sent, but this server did not sign it, it has expired, or its session has ended. */
export class InvalidToken extends NotAuthenticated {
  constructor() {
    super('Invalid or expired token', 'Bearer error="invalid_token"');
  }
}

/** The companion interface identified the caller, who lacks permission. */
export class Forbidden extends ApiError {
  constructor(message: string) {
    super(message, { code: 'FORBIDDEN', status: 403 });
  }
}
