import { ApiError } from './api-error';

/** One thing that is wrong with the input of the companion interface. */
export interface InputProblem {
  /** Where it is, as in `["body", "email"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** Machine-readable kind, as in `missing`. */
  readonly type: string;
}

/** The input is not what the companion interface asks for; its `detail` is a list of what is wrong. */
export class UnprocessableEntity extends ApiError {
  constructor(readonly problems: readonly InputProblem[]) {
    super(problems.map(({ msg }) => msg).join('; '), { code: 'UNPROCESSABLE', status: 422 });
  }

  /** One problem, found by something else than the checks of a class. */
  static at(loc: InputProblem['loc'], msg: string, type: string): UnprocessableEntity {
    return new UnprocessableEntity([{ loc, msg, type }]);
  }
}

/** The companion interface does not know who is calling. */
export class NotAuthenticated extends ApiError {
  /** @param challenge what RFC 6750 has the server say about the token */
  constructor(message = 'Not authenticated', challenge = 'Bearer') {
    super(message, { code: 'UNAUTHORIZED', status: 401, headers: { 'www-authenticate': challenge } });
  }
}

/** A token was sent, but it is none of ours, has expired, or its session has ended. */
export class InvalidToken extends NotAuthenticated {
  constructor() {
    super('Invalid or expired token', 'Bearer error="invalid_token"');
  }
}

/** The companion interface knows who is calling, and that they may not. */
export class Forbidden extends ApiError {
  constructor(message: string) {
    super(message, { code: 'FORBIDDEN', status: 403 });
  }
}
