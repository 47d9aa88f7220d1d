import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';
import type { Config } from '../config/config';
import { redact, redactText } from './redaction';

/** Where lines go; standard output unless a test listens. */
export interface LogDestination {
  write(line: string): void;
}

/** The logger of the server: one JSON object a line, without secrets. */
export function loggerOptions(
  config: Pick<Config, 'logLevel'>,
  destination?: LogDestination,
): FastifyServerOptions['logger'] {
  return {
    level: config.logLevel,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (level) => ({ level }),
      log: redact,
    },
    hooks: {
      logMethod(args, method) {
        const redacted = args.map((part: unknown) => (typeof part === 'string' ? redactText(part) : part));
        method.apply(this, redacted as typeof args);
      },
    },
    // The name of the option is pino's.
    ...(destination && { ['stream']: destination }),
  };
}

/**
 * Makes the logger of one request. Fastify by itself names options for it, though there are none, for which pino makes
 * a logger from scratch instead of one that rests on its parent.
 */
export function requestLogger(logger: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return logger.child(bindings);
}
