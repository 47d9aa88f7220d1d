import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MailContent, MailToRead } from './mail-reader-worker';

/** A mail that cannot be read: it is malformed, or takes more time or memory than any real one. */
export class UnreadableMail extends Error {}

const TIMEOUT_MS = 10_000;
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Beside this file, and in its language: TypeScript under a test runner, JavaScript in a build. */
const extension = extname(__filename);
const WORKER_FILE = join(__dirname, `mail-reader-worker${extension}`);
const EXEC_ARGV = extension === '.ts' ? ['-r', 'tsx/cjs'] : [];

/**
 * Reads a mail in a thread of its own.
 * @param isLastTry whether one that takes too long counts as unreadable
 * @param signal ends the thread
 * @throws UnreadableMail
 */
export function readMail(mail: MailToRead, isLastTry: boolean, signal: AbortSignal): Promise<MailContent> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER_FILE, { workerData: mail, execArgv: EXEC_ARGV, resourceLimits: LIMITS });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      void worker.terminate();
      settle();
    };
    const fail = (why: string) => end(() => reject(new UnreadableMail(why)));
    // Not always the mail's fault: a busy machine is slow, too.
    const retry = (why: string) => end(() => reject(new Error(`A mail could not be read: ${why}.`)));
    const abort = () => end(() => reject(signal.reason as Error));
    const timer = setTimeout(() => (isLastTry ? fail : retry)('it takes too long'), TIMEOUT_MS);
    signal.addEventListener('abort', abort);
    worker.once('message', (answer: { content: MailContent } | { error: string }) =>
      'content' in answer ? end(() => resolve(answer.content)) : fail(answer.error),
    );
    worker.once('error', (error: NodeJS.ErrnoException) =>
      (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? fail : retry)(error.message),
    );
    worker.once('exit', () => retry('its thread ended'));
  });
}
