import { StartRefused } from '../config/start-refused';
import { ApiError } from '../errors/api-error';
import { CommandRefused } from './operator-command';

/** What to tell the operator of a command that failed. */
export interface CommandFailure {
  readonly message: string;
  /** Whether nobody foresaw it, so that its stack is worth a look. */
  readonly isSurprise: boolean;
}

/** The sentence alone where the failure is one of ours. */
export function explainCommandFailure(error: unknown): CommandFailure {
  if (error instanceof CommandRefused || error instanceof StartRefused || error instanceof ApiError) {
    return { message: error.message, isSurprise: false };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return { message: 'Stopped before it was done.', isSurprise: false };
  }
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  const isOfSystem = error instanceof Error && 'syscall' in error && typeof code === 'string';
  return { message: isOfSystem ? message : `Something unexpected happened: ${message}`, isSurprise: true };
}
