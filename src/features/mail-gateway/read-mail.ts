import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { MailContent, MailToRead } from './mail-reader';

/** A mail that cannot be read: it is malformed, or takes more time or memory than any real one. */
export class UnreadableMail extends Error {}

const TIMEOUT_MS = 10_000;
/** Of V8, in MiB. */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=16'];

/** Beside this file, and in its language: TypeScript under a test runner, JavaScript in a build. */
const extension = extname(__filename);
const READER = join(__dirname, `mail-reader${extension}`);
const LOADER = extension === '.ts' ? ['-r', 'tsx/cjs'] : [];

/** What a reader answers. */
type Answer = { readonly content: MailContent } | { readonly error: string };

/**
 * Reads a mail in a separate process with an empty environment. A thread would not do: when its memory runs out, V8 may end
 * the whole process.
 * @param isLastTry whether one that takes too long counts as unreadable
 * @param signal ends the process
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
    // Not always the mail's fault: a busy machine is slow, too.
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
      // V8 aborts where memory runs out.
      (ending === 'SIGABRT' || isLastTry ? fail : retry)(`its process ended with ${ending ?? code}`);
    });
    reader.send(mail, () => undefined);
  });
}
