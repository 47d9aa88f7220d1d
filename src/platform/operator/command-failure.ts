import { StartRefused } from '../config/start-refused';
import { ApiError } from '../errors/api-error';
import { isDiskFull } from '../errors/outages';
import { CommandRefused } from './operator-command';

/** What to tell the operator of a command that failed. */
export interface CommandFailure {
  readonly message: string;
  /** Whether the failure is unforeseen, so that its stack is worth a look. */
  readonly isSurprise: boolean;
}

/** Explains a failure; one of our own errors is the sentence alone. */
export function explainCommandFailure(error: unknown): CommandFailure {
  if (error instanceof ApiError) return { message: error.advisedMessage, isSurprise: false };
  if (error instanceof CommandRefused || error instanceof StartRefused) {
    return { message: error.message, isSurprise: false };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return { message: 'Stopped before completion.', isSurprise: false };
  }
  const sentence = error instanceof Error ? systemSentence(error) : undefined;
  if (sentence !== undefined) return { message: sentence, isSurprise: false };
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  const isOfSystem = error instanceof Error && 'syscall' in error && typeof code === 'string';
  return { message: isOfSystem ? message : `Unexpected error: ${message}`, isSurprise: true };
}

/** What the operator can do when the system or the database refuses something. */
function systemSentence(error: NodeJS.ErrnoException): string | undefined {
  if (isDiskFull(error)) return 'The disk is full. Free some space and try again.';
  const { path = 'a file', code } = error;
  switch (code) {
    case 'ENOENT':
      return `${path} does not exist, or nothing can be created there.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `This user cannot read or write ${path} (${code}). Run this as the user of the server, or choose another location.`;
    case 'EMFILE':
    case 'ENFILE':
      return `Too many open files (${code}). Raise the limit, for example with "ulimit -n".`;
    default:
      return undefined;
  }
}
