import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Clock } from '../clock';
import type { Config } from '../config/config';
import { isDiskFull } from '../errors/outages';

const MASK = '[secret]';

/** Names of secret values, in any case and with or without separators. */
const SECRET_NAME =
  /^(authorization|cookie|setcookie|.*password|passwordhash|.*apikey|.*secret|.*secretkey|.*token|.*nonce|parameters)$/;

/** Patterns of secrets inside a text: credentials, query and form parameters, URLs with passwords. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/\b(basic|bearer) +[\w+/=.~-]{6,}/gi, `$1 ${MASK}`],
  [/((?:password|api_key|secret|token)=)[^&\s"']*/gi, `$1${MASK}`],
  [/(\/\/)[^/\s"']+@/g, `$1${MASK}@`],
  // Tokens of the companion interface, and API keys, anywhere in a text; hashes in hex do not match.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, MASK],
  [/(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?![0-9a-f]{32}(?![A-Za-z0-9]))[A-Za-z0-9]{32}(?![A-Za-z0-9])/g, MASK],
  // Links that open a file without credentials.
  [/(\/user_uploads\/+temporary\/+)[^/\s"']+/g, `$1${MASK}`],
  // The sign-in link of the first owner.
  [/(\/login\/+first\/*\?code=)[^&\s"']+/g, `$1${MASK}`],
  // Links to join, to set a new password, or to continue in the desktop app.
  [/(\/(?:join|accounts\/+(?:do_confirm|password\/+reset|login\/+subdomain))\/+)[^/\s"']+/g, `$1${MASK}`],
];

/** Deeper than any line we write; deeper values are omitted. */
const DEPTH = 6;

/** A text with its secrets masked. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((redacted, [pattern, mask]) => redacted.replace(pattern, mask), text);
}

/** A copy of a log entry without secrets, recognized by name or by pattern. */
export function redact(entry: Record<string, unknown>): Record<string, unknown> {
  return redactEntries(entry, DEPTH);
}

function redactEntries(entry: object, depth: number): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    redacted[name] = isSecretName(name) ? MASK : redactValue(value, depth - 1);
  }
  return redacted;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0 || Buffer.isBuffer(value)) return '[...]';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, depth - 1));
  return redactEntries(value, depth);
}

/** Picks only useful properties: drivers attach rows, parameters and connection settings to their errors. */
function describeError(error: Error & { code?: unknown; query?: unknown }, depth: number): unknown {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    code: error.code,
    query: error.query,
    cause: error.cause === undefined ? undefined : redactValue(error.cause, depth - 1),
  };
}

const knownNames = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  let isSecret = knownNames.get(name);
  if (isSecret === undefined) {
    isSecret = SECRET_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''));
    if (knownNames.size < 1000) knownNames.set(name, isSecret);
  }
  return isSecret;
}

/** Receives log lines; standard output except in tests. */
export interface LogDestination {
  write(line: string): void;
}

/** While the disk is full, every write fails; this is logged once per interval. */
const DISK_FULL_EVERY_MS = 60_000;

/** The logger of the server: one JSON object per line, without secrets. */
export function loggerOptions(
  config: Pick<Config, 'logLevel'>,
  destination?: LogDestination,
  clock?: Clock,
): FastifyServerOptions['logger'] {
  const onDiskFull = diskFullLine(() => clock?.nowMs() ?? Date.now());
  return {
    level: config.logLevel,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (level) => ({ level }),
      log: redact,
    },
    hooks: {
      logMethod(args, method) {
        if (args.some(tellsOfFullDisk)) {
          const line = onDiskFull();
          if (line) method.apply(this, line as unknown as typeof args);
          return;
        }
        const redacted = args.map((part: unknown) => (typeof part === 'string' ? redactText(part) : part));
        method.apply(this, redacted as typeof args);
      },
    },
    // The name of the option is pino's.
    ...(destination && { ['stream']: destination }),
  };
}

/** Whether an argument of a logging call is, or contains, a disk-full error. */
function tellsOfFullDisk(part: unknown): boolean {
  return isDiskFull(part) || isDiskFull((part as { err?: unknown } | null | undefined)?.err);
}

/** @returns the line for a disk-full error; null if one was logged recently */
function diskFullLine(nowMs: () => number): () => readonly [object, string] | null {
  let loggedAt: number | null = null;
  let suppressed = 0;
  return () => {
    const sinceMs = loggedAt === null ? Infinity : nowMs() - loggedAt;
    // Also logs if the clock was set back.
    if (sinceMs >= 0 && sinceMs < DISK_FULL_EVERY_MS) {
      suppressed += 1;
      return null;
    }
    const fields = { event: 'disk_full', suppressed };
    loggedAt = nowMs();
    suppressed = 0;
    return [fields, 'The disk is full: nothing more can be stored. Further errors are counted for a minute.'];
  };
}

/**
 * Creates the logger of a request. Fastify would pass empty options, and pino would then build a logger from scratch
 * instead of a child of its parent.
 */
export function requestLogger(logger: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return logger.child(bindings);
}

/** Longer paths are truncated: no route has one. */
const PATH_LENGTH = 300;

/**
 * Writes one line per request once it is answered, instead of Fastify's two. It contains the caller, the request and
 * its outcome; query strings, bodies and headers are never logged.
 */
export class AccessLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line is written once the response is known.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, PATH_LENGTH),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        userId: request.actor?.userId,
        ...(error && { err: error }),
      },
      'request',
    );
  }

  override routeNotFound(): void {
    // The status in the line shows it.
  }
}
