import {
  LogController,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import type { Clock } from '../clock';
import type { Config } from '../config/config';
import { isDiskFull } from '../errors/outages';
import { redact, redactText } from './redaction';

/** Where log lines go; standard output unless a test listens. */
export interface LogDestination {
  write(line: string): void;
}

/** While the disk is full, every write fails; one line in this time says so. */
const DISK_FULL_EVERY_MS = 60_000;

/** The logger of the server: one JSON object a line, without secrets. */
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

/** Whether an argument of a logging call is an error of a full disk, or has one. */
function tellsOfFullDisk(part: unknown): boolean {
  return isDiskFull(part) || isDiskFull((part as { err?: unknown } | null | undefined)?.err);
}

/** @returns what to log instead of an error of a full disk; null if that was logged a moment ago */
function diskFullLine(nowMs: () => number): () => readonly [object, string] | null {
  let loggedAt: number | null = null;
  let suppressed = 0;
  return () => {
    const sinceMs = loggedAt === null ? Infinity : nowMs() - loggedAt;
    // A clock that was put back must not silence it.
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
 * Makes the logger of one request. Fastify would pass options, although there are none, and pino would then build a
 * logger from scratch instead of a child of its parent.
 */
export function requestLogger(logger: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return logger.child(bindings);
}

/** Longer paths are cut: no route has one. */
const PATH_LENGTH = 300;

/**
 * Writes one line for each request once it is answered, instead of Fastify's two. It says who asked for what and how
 * that went; query strings, bodies and headers are never logged.
 */
export class AccessLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line is written once the answer is known.
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
    // The status in the line tells it.
  }
}
