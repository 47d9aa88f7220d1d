/** Properties of an {@link ApiError}, besides its message. */
export interface ApiErrorOptions {
  /** Machine-readable code of the envelope; `null` omits the key (as for a wrong method). */
  code?: string | null;
  /** HTTP status; 400 for most errors of the main interface. */
  status?: number;
  /** Extra keys of the body, besides `result`, `msg` and `code`. */
  data?: Record<string, unknown>;
  /** How the response of the companion interface differs from that of the main one. */
  companion?: CompanionForm;
  /** What to do about it, if the message that clients of the main interface expect does not say so. */
  advice?: string;
  /** Response headers of this error, such as `WWW-Authenticate`. */
  headers?: Record<string, string>;
}

/** The form of an error on the companion interface, which uses the usual HTTP statuses instead of 400. */
export interface CompanionForm {
  readonly status?: number;
  /** Extra keys besides `detail`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * The base class of every error that a caller is meant to see. Services throw a named subclass declared in their
 * feature; the error filter turns it into JSON. Anything else that is thrown is a bug: it is logged and answered with a
 * plain 500.
 */
export class ApiError extends Error {
  readonly code: string | null;
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly companion: CompanionForm;
  private readonly advice: string | null;

  constructor(message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.name = new.target.name;
    this.code = options.code === undefined ? 'BAD_REQUEST' : options.code;
    this.status = options.status ?? 400;
    this.data = options.data ?? {};
    this.headers = options.headers ?? {};
    this.companion = options.companion ?? {};
    this.advice = options.advice ?? null;
  }

  /** The message and the advice, for the companion interface and the command line, whose output people read. */
  get advisedMessage(): string {
    return this.advice === null ? this.message : `${this.message.replace(/[.!]?$/, '.')} ${this.advice}`;
  }
}

/**
 * The base class of an error with a fixed message: `export class TopicTooLong extends refusal('Topic too long.') {}`.
 */
export function refusal(message: string, options?: ApiErrorOptions): new () => ApiError {
  return class extends ApiError {
    constructor() {
      super(message, options);
    }
  };
}

/**
 * The base class of a temporary error: 503, and when to retry.
 * @param retryAfter seconds
 */
export function unavailable(message: string, code: string, retryAfter: number): new () => ApiError {
  return refusal(message, { code, status: 503, headers: { 'retry-after': String(retryAfter) } });
}
