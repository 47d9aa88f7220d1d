import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { MailContent, MailToRead } from './mail-reader';

/** The mail is malformed, or takes more time or memory to parse than any real one. */
export class UnreadableMail extends Error {}

const TIMEOUT_MS = 10_000;
/** V8 memory limits, in MiB. */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=16'];

/** The reader is next to this file, with the same extension: TypeScript in tests, JavaScript in a build. */
const extension = extname(__filename);
const READER = join(__dirname, `mail-reader${extension}`);
const LOADER = extension === '.ts' ? ['-r', 'tsx/cjs'] : [];

/** Message from the child process. */
type Answer = { readonly content: MailContent } | { readonly error: string };

/**
 * Parses a mail in a child process with an empty environment. A thread is not enough: V8 may abort the whole process
 * when a thread runs out of memory.
 * @param isLastTry whether a timeout means that the mail is unreadable
 * @param signal kills the child process
 * @throws UnreadableMail
 */
export function readMail(mail: MailToRead, isLastTry: boolean, signal: AbortSignal): Promise<MailContent> {
  return new Promise((resolve, reject) => {
    const reader = fork(READER, [], {
      execArgv: [...LOADER, ...MEMORY],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const fail = (why: string) => reject(new UnreadableMail(why));
    // The cause may be a busy machine instead of the mail.
    const retry = (why: string) => reject(new Error(`A mail could not be read: ${why}.`));
    let answer: Answer | undefined;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reader.kill('SIGKILL');
    }, TIMEOUT_MS);
    const abort = () => reader.kill('SIGKILL');
    signal.addEventListener('abort', abort);
    reader.once('message', (message) => {
      answer = message as Answer;
      reader.kill('SIGKILL');
    });
    reader.once('error', (error) => retry(error.message));
    reader.once('close', (code, ending) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (answer) return 'content' in answer ? resolve(answer.content) : fail(answer.error);
      if (signal.aborted) return reject(signal.reason as Error);
      if (isLate) return (isLastTry ? fail : retry)('it takes too long');
      // V8 aborts when it runs out of memory.
      (ending === 'SIGABRT' || isLastTry ? fail : retry)(`its process ended with ${ending ?? code}`);
    });
    reader.send(mail, () => undefined);
  });
}
