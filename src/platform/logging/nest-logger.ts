import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Parts of Nest that report each module and route at start; only their warnings and errors are logged. */
const CHATTY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Parts of Nest that log a startup error and also throw it; the code that starts the server reports it. */
const REPEATING = new Set(['ExceptionHandler', 'NestApplication']);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Sends messages of Nest and of our own `Logger`s to the server's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: FastifyBaseLogger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context last; a stack or an error may precede it. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const details = rest.slice(0, -1);
    const err = [message, ...details].find((part) => part instanceof Error);
    const stack = details.find((part) => typeof part === 'string');
    const fields = typeof message === 'object' && message !== err ? message : undefined;
    this.logger[isChatter(level, context) ? 'debug' : level](
      { context, ...fields, err, stack },
      typeof message === 'string' ? message : err?.message,
    );
  }
}

function isChatter(level: Level, context: unknown): boolean {
  if (typeof context !== 'string') return false;
  return (level === 'info' && CHATTY.has(context)) || (level === 'error' && REPEATING.has(context));
}
