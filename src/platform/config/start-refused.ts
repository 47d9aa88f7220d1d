import { types } from 'node:util';
import { isDiskFull } from '../errors/outages';

/**
 * The server cannot start, for a reason its operator can fix. The message says what is wrong and what to do; it is
 * shown alone, without a stack.
 */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * The text for the operator when the server does not start: the message alone if it is a {@link StartRefused}, with its
 * stack otherwise.
 */
export function explainStartFailure(error: unknown): string {
  if (error instanceof StartRefused) return `Parley cannot start.\n${error.message}\n`;
  if (isDiskFull(error)) return 'Parley cannot start.\nThe disk is full. Free some space and start again.\n';
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Parley cannot start because of an unexpected error.\n${stack}\n`;
}

/** The system's code for an error, such as `ENOENT`, for error messages. */
export function codeOf(error: unknown): string {
  return types.isNativeError(error) && 'code' in error ? String(error.code) : String(error);
}

/** Turns the system's error for an unavailable address into advice. */
export function explainListenFailure(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new StartRefused(
        `Port ${port} on ${host} is in use. Stop the process that uses it, or set PORT to another port.`,
      );
    case 'EACCES':
      return new StartRefused(`This user cannot listen on port ${port}. Set PORT to a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartRefused(
        `This machine does not have the address ${host}. Set HOST to one of its addresses.`,
      );
    default:
      return error;
  }
}
